import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

import org.ggp.base.util.game.Game;
import org.ggp.base.util.statemachine.MachineState;
import org.ggp.base.util.statemachine.Role;
import org.ggp.base.util.statemachine.implementation.prover.ProverStateMachine;

/** Random games of a sheet on the reference prover: java -cp CLASSPATH ReferenceProver.java SHEET SECONDS prints games,
 * steps, CPU seconds and the sum of each role's goals. A third of the time goes ahead, for the compiler of Java. */
class ReferenceProver {
    public static void main(String[] arguments) throws Exception {
        String sheet = new String(Files.readAllBytes(Paths.get(arguments[0])), "UTF-8");
        double seconds = Double.parseDouble(arguments[1]);
        ProverStateMachine machine = new ProverStateMachine();
        machine.initialize(Game.createEphemeralGame(Game.preprocessRulesheet(sheet)).getRules());
        List<Role> roles = machine.getRoles();
        play(machine, roles, seconds / 3);
        System.out.println(play(machine, roles, seconds));
    }

    private static String play(ProverStateMachine machine, List<Role> roles, double seconds) throws Exception {
        double begin = cpuSeconds();
        int games = 0;
        long steps = 0;
        long[] goals = new long[roles.size()];
        int[] depth = new int[1];
        while (games == 0 || cpuSeconds() - begin < seconds) {
            MachineState end = machine.performDepthCharge(machine.getInitialState(), depth);
            for (int role = 0; role < goals.length; role++) {
                goals[role] += machine.getGoal(end, roles.get(role));
            }
            steps += depth[0];
            games++;
        }
        StringBuilder told = new StringBuilder(games + " " + steps + " " + (cpuSeconds() - begin));
        for (long goal : goals) {
            told.append(" ").append(goal);
        }
        return told.toString();
    }

    private static double cpuSeconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }
}
