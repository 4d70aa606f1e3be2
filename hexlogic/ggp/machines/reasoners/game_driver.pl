% What a state machine asks of a swipl process with a sheet, besides the requests of swipl_driver.pl (see swipl.py).
%
%   state([Fact,...]).                         these facts are true from now on  -->  done
%   terminal.                                  -->  yes  |  no
%   moves(Role).  goals(Role).                 -->  terms Term Term ... (each once)
%   step([does(Role,Move),...]).               what comes next; the state stays as it is  -->  terms Term Term ...
%   facts.                                     the facts of the state  -->  terms Term Term ...
%   playouts(Games,Seed,[Role,...],Facts,Longest).
%       -->  played Inferences CpuSeconds Steps Goals Goals ... (a sum for each role)
%       -->  endless  |  stuck Role  |  goal, in the state in which a role has not one goal
%
% Predicates are those of the sheet as the printer names them: `true` is user_true. Terms are written without
% operators, quotes and spaces. A table knows the state and the moves with which it was made: every change drops all.

:- module(hexlogic_game, []).
:- set_module(class(library)).

% What one state says is small; moves without end should be told before they fill the memory.
:- set_prolog_flag(stack_limit, 1_000_000_000).

hexlogic_driver:handle(state(Facts)) :-
    hexlogic_game:guarded(enter(Facts)).
hexlogic_driver:handle(terminal) :-
    hexlogic_game:guarded(( over -> reply([yes]) ; reply([no]) )).
hexlogic_driver:handle(moves(Role)) :-
    hexlogic_game:guarded(( each(Move, legal(Role, Move), Moves), reply([terms|Moves]) )).
hexlogic_driver:handle(goals(Role)) :-
    hexlogic_game:guarded(( each(Value, goal(Role, Value), Values), reply([terms|Values]) )).
hexlogic_driver:handle(step(Moves)) :-
    hexlogic_game:guarded(( after(Moves, Facts), reply([terms|Facts]) )).
hexlogic_driver:handle(facts) :-
    hexlogic_game:guarded(( each(Fact, user_true(Fact), Facts), reply([terms|Facts]) )).
hexlogic_driver:handle(playouts(Games, Seed, Roles, Facts, Longest)) :-
    hexlogic_game:guarded(
        (   catch(playouts(Games, Seed, Roles, Facts, Longest, Played), stop(Why), true),
            (   var(Why) -> reply([played|Played]) ; reply(Why) )
        )).

guarded(enter(Facts)) :- !,
    catch(( enter(Facts), reply([done]) ), Error, failure(Error)).
guarded(Goal) :-
    catch(Goal, Error, failure(Error)).

failure(Error) :-
    abolish_all_tables,
    hexlogic_driver:message_text(Error, Text),
    split_string(Text, "\n", "", [Line|_]),
    hexlogic_driver:failure(Line).

reply([Kind|Terms]) :-
    format(user_output, "~w", [Kind]),
    write_each(Terms),
    nl(user_output),
    flush_output(user_output).

write_each([]).
write_each([Term|Terms]) :-
    put_char(user_output, ' '),
    write_term(user_output, Term, [ignore_ops(true)]),
    write_each(Terms).

% What drivers that answer in another way replace (sld_driver.pl): over, and the goal of each.
over :-
    user:terminal.

each(Term, Goal, Terms) :-
    findall(Term, user:Goal, Found),
    sort(Found, Terms).

enter(Facts) :-
    retractall(user:user_true(_)),
    set_true(Facts),
    abolish_all_tables.

set_true([]).
set_true([Fact|Facts]) :-
    assertz(user:user_true(Fact)),
    set_true(Facts).

after(Moves, Facts) :-
    abolish_all_tables,
    setup_call_cleanup(
        set_done(Moves),
        each(Fact, next(Fact), Facts),
        ( retractall(user:does(_, _)), abolish_all_tables )).

set_done([]).
set_done([Done|More]) :-
    assertz(user:Done),
    set_done(More).

playouts(Games, Seed, Roles, Facts, Longest, [Inferences,Seconds,Steps|Goals]) :-
    set_random(seed(Seed)),
    nothing(Roles, Zeros),
    statistics(cputime, Begin),
    statistics(inferences, Before),
    games(Games, Roles, Facts, Longest, 0, Steps, Zeros, Goals),
    statistics(inferences, After),
    statistics(cputime, End),
    Inferences is After-Before,
    Seconds is End-Begin.

nothing([], []).
nothing([_|Roles], [0|Zeros]) :-
    nothing(Roles, Zeros).

games(0, _, _, _, Steps, Steps, Goals, Goals) :- !.
games(Games, Roles, Facts, Longest, Before, Steps, Sums, Goals) :-
    enter(Facts),
    play(0, Longest, Roles, Played),
    add_goals(Roles, Sums, Now),
    Left is Games-1,
    Soon is Before+Played,
    games(Left, Roles, Facts, Longest, Soon, Steps, Now, Goals).

play(Step, _, _, Step) :-
    over, !.
play(Longest, Longest, _, _) :- !,
    throw(stop([endless])).
play(Step, Longest, Roles, Played) :-
    choose(Roles, Moves),
    after(Moves, Facts),
    enter(Facts),
    Next is Step+1,
    play(Next, Longest, Roles, Played).

choose([], []).
choose([Role|Roles], [does(Role, Move)|Chosen]) :-
    each(Option, legal(Role, Option), Options),
    Moves =.. [moves|Options],
    functor(Moves, _, Count),
    (   Count =:= 0 -> throw(stop([stuck, Role])) ; true ),
    Number is random(Count)+1,
    arg(Number, Moves, Move),
    choose(Roles, Chosen).

add_goals([], [], []).
add_goals([Role|Roles], [Sum|Sums], [Now|More]) :-
    each(Value, goal(Role, Value), Values),
    (   Values = [Goal], integer(Goal) -> Now is Sum+Goal
    ;   throw(stop([goal]))
    ),
    add_goals(Roles, Sums, More).
