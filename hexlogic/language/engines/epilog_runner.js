// The questions and answers of one Epilog process (see epilog.py): one JSON object per line, each way.
//
//   node epilog_runner.js EPILOG.js                     -->  {"ready": true}
//   {"text": TEXT, "sentences": N}                      -->  {"loaded": SECONDS}
//   {"facts": TEXT, "sentences": N, "query": SENTENCE}  -->  {"holds": BOOL, "seconds": S, "counters": {NAME: COUNT}}
//   {"game": TEXT, "sentences": N}                      -->  {"loaded": SECONDS}
//   {"state": [FACT, ...]}                              -->  {"said": {"roles", "initial", "control", "legal", "terminal",
//                                                             "goals"}}, of a null state only the first two
//   {"state": [FACT, ...], "move": TERM}                -->  {"said": [FACT, ...]}, the next state
//   {"state": [FACT, ...], "playouts": N, "seed": S, "longest": N}
//                                                       -->  {"said": [STEPS, GOAL, ...]} or what went wrong and where
//   any of them, failing                                -->  {"error": WHAT}
//
// A term of a game is a word, or a list of a word and terms. The engine is a script for browsers: it runs in this global scope, and what it declares are names of that scope.

'use strict';

const fs = require('fs');
const readline = require('readline');
const vm = require('vm');
const { argv, cpuUsage, hrtime, stdin } = process; // taken before a script that may declare a `process` of its own

// Generations differ in their reader; where one stands behind the other, `readdata` hides its errors.
const READERS = ['fastreaddata', 'readdata'];
const NEEDED = ['viewp', 'compfindp', 'emptytheory'].concat(
  ['fact', 'rule'].flatMap((kind) => ['insert' + kind, 'uninsert' + kind]),
);
const COUNTERS = ['inferences', 'instantiations'];

// What the printed text relies on. An engine that reads one of these as an unknown relation would answer "no" for good.
const PROBES = {
  'comments, facts and rules': ['hexlogic_two(X) % ~', true],
  'terms with arguments': ['hexlogic_three(f_g_1(X),s_a)', true],
  negation: ['~hexlogic_one(X)', false],
  'negation of what fails': ['~hexlogic_four(X)', true],
  distinct: ['distinct(X,c2) & ~distinct(X,c1)', true],
  same: ['same(f_g_1(Y),f_g_1(3)) & hexlogic_four(Y)', true],
  'evaluate(min(...),X)': ['evaluate(min(2,10),2)', true],
  'evaluate(plus(...),X), minus, times': ['evaluate(plus(times(2,3),minus(0,7)),-1)', true],
  'evaluate(trunc(quotient(...)),X)': ['evaluate(trunc(quotient(-7,2)),-3)', true],
  'evaluate(remainder(...),X)': ['evaluate(remainder(minus(0,7),2),-1)', true],
};
const PROBE_FACTS = 'hexlogic_one(c1) hexlogic_two(c1) hexlogic_three(f_g_1(c1),s_a) hexlogic_four(3)';

const LOADING_MS = 20000; // a file that is no Epilog may run for ever

const facts = [];
const rules = [];
const known = new Set(); // the sentences of the program, as JSON

const engine = (code) => vm.runInThisContext(code);

function reply(value) {
  fs.writeSync(1, JSON.stringify(value) + '\n');
}

// The text's sentences. The number is a check: text that a reader swallowed would be a program that is merely empty.
function read(text, count) {
  const sentences = engine(READERS.find(defined))(text);
  if (!Array.isArray(sentences) || sentences.length !== count) {
    throw new Error(`the reader found ${sentences.length} sentences instead of ${count}`);
  }
  return sentences;
}

const isRule = (sentence) => Array.isArray(sentence) && sentence[0] === 'rule';
const relation = (sentence) => (Array.isArray(sentence) ? sentence[0] : sentence);

// A relation with rules is looked up among the rules only, so its facts have to stand there as well.
function insert(sentence) {
  const place = isRule(sentence) || engine('viewp')(relation(sentence), rules) ? 'rule' : 'fact';
  engine('insert' + place)(sentence, place === 'rule' ? rules : facts);
  return () => engine('uninsert' + place)(sentence, place === 'rule' ? rules : facts);
}

function load(text, count) {
  const sentences = read(text, count);
  const begin = hrtime.bigint();
  sentences.filter(isRule).forEach(insert);
  sentences.filter((sentence) => !isRule(sentence)).forEach(insert);
  for (const sentence of sentences) known.add(JSON.stringify(sentence));
  return secondsSince(begin);
}

function ask(text, count, queryText) {
  const added = read(text, count).filter((sentence) => !known.has(JSON.stringify(sentence)));
  const [query] = read(queryText, 1);
  const undo = added.map(insert);
  try {
    for (const name of COUNTERS) if (counted(name)) engine(`${name} = 0`);
    const spent = cpuUsage();
    const begin = hrtime.bigint();
    const holds = engine('compfindp')(query, facts, rules);
    const seconds = secondsSince(begin);
    const used = cpuUsage(spent);
    const cpu = (used.user + used.system) / 1e6;
    if (typeof holds !== 'boolean') throw new Error(`compfindp answered ${JSON.stringify(holds)}`);
    const counters = {};
    for (const name of COUNTERS) if (counted(name)) counters[name] = engine(name);
    return { holds, seconds, cpu, counters };
  } finally {
    undo.reverse().forEach((step) => step());
  }
}

// ---------------------------------------------------------------- games

const NEEDED_FOR_GAMES = ['compfinds', 'compfindx', 'compexpand', 'find'];

// A state is a plain list without an index, as the players of this language keep it.
function loadGame(text, count) {
  const absent = NEEDED_FOR_GAMES.filter((name) => !defined(name));
  if (absent.length) throw new Error(`this generation plays no games: it does not define ${absent.join(', ')}`);
  for (const name of ['indexing', 'dataindexing']) engine(`${name} = false`);
  const sentences = read(text, count);
  const begin = hrtime.bigint();
  sentences.forEach((sentence) => engine('insertrule')(sentence, rules));
  return secondsSince(begin);
}

const all = (pattern, state) => engine('compfinds')('X', pattern, state, rules);
const holds = (goal, state) => engine('compfindp')(goal, state, rules);
const legal = (state) => all(['legal', 'X'], state);
const goals = (role, state) => all(['goal', role, 'X'], state);

// All operations apply at once; an addition beats a deletion.
function after(move, state) {
  const find = engine('find');
  const changes = engine('compexpand')(move, state, rules);
  const added = changes.filter((change) => change[0] !== 'not');
  const gone = changes.filter((change) => change[0] === 'not').map((change) => change[1]);
  return state.filter((fact) => !find(fact, added) && !find(fact, gone)).concat(added);
}

function look(state) {
  const roles = all(['role', 'X'], []);
  if (state === null) return { roles, initial: all(['init', 'X'], []) };
  return {
    control: all(['control', 'X'], state),
    legal: legal(state),
    terminal: holds('terminal', state),
    goals: roles.map((role) => [role, goals(role, state)]),
  };
}

function playouts({ playouts: count, seed, longest, state: start }) {
  let drawn = BigInt(seed) + 1n;
  const draw = (options) => {
    drawn = (drawn * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn; // a linear congruence
    return options[Number((drawn >> 33n) % BigInt(options.length))];
  };
  const roles = all(['role', 'X'], []);
  const sums = roles.map(() => 0);
  let steps = 0;
  for (let game = 0; game < count; game++) {
    let state = start;
    for (let step = 0; !holds('terminal', state); step++, steps++) {
      const options = legal(state);
      if (step === longest || options.length === 0) return { wrong: step === longest ? 'endless' : 'stuck', state };
      state = after(draw(options), state);
    }
    for (const [number, role] of roles.entries()) {
      const values = goals(role, state);
      if (values.length !== 1 || isNaN(values[0])) return { wrong: 'goal', state };
      sums[number] += Number(values[0]);
    }
  }
  return [steps, ...sums];
}

function play(request) {
  for (const name of COUNTERS) if (counted(name)) engine(`${name} = 0`);
  const spent = cpuUsage();
  const begin = hrtime.bigint();
  const said =
    'playouts' in request ? playouts(request) : 'move' in request ? after(request.move, request.state) : look(request.state);
  const used = cpuUsage(spent);
  const counters = Object.fromEntries(COUNTERS.filter(counted).map((name) => [name, engine(name)]));
  return { said, seconds: secondsSince(begin), cpu: (used.user + used.system) / 1e6, counters };
}

const defined = (name) => engine(`typeof ${name}`) === 'function';
const counted = (name) => engine(`typeof ${name}`) === 'number';
const secondsSince = (begin) => Number(hrtime.bigint() - begin) / 1e9;

function describe(problem) {
  const text = problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
  return text === 'error' ? 'the reader does not take the text' : text.split('\n').join(' ');
}

// Infinity would go on as the symbol `infinity`: the other engines stop at a division by zero, and so does this one.
function divideByNothing(name) {
  const plain = engine(name);
  engine('globalThis')[name] = (...numbers) => {
    if (numbers.slice(1).some((number) => Number(number) === 0)) throw new RangeError('division by zero');
    return plain(...numbers);
  };
}

function start(path) {
  console.log = console.error; // stdout belongs to the replies
  vm.runInThisContext(fs.readFileSync(path, 'utf8'), { filename: path, timeout: LOADING_MS });
  const absent = NEEDED.filter((name) => !defined(name));
  if (!READERS.some(defined)) absent.unshift(READERS.join(' or '));
  if (absent.length) throw new Error(`it does not define ${absent.join(', ')}`);
  if (!defined('remainder') && Array.isArray(engine("typeof builtins === 'undefined' ? 0 : builtins"))) {
    engine('builtins').push('remainder'); // the generation before 2020 has none
    engine('globalThis').remainder = (dividend, divisor) => String(Number(dividend) % Number(divisor));
  }
  ['quotient', 'remainder'].filter(defined).forEach(divideByNothing);
  for (const [feature, [goals, expected]] of Object.entries(PROBES)) {
    let holds;
    try {
      load(`hexlogic_probe(X) :- hexlogic_one(X) & ${goals}`, 1);
      holds = ask(PROBE_FACTS, 4, 'hexlogic_probe(c1)').holds;
    } catch (problem) {
      throw new Error(`${problem instanceof Error ? problem.message : describe(problem)}, at ${feature}`);
    }
    if (holds !== expected) throw new Error(`this generation does not evaluate ${feature} as hexlogic writes it`);
    engine('emptytheory')(rules);
  }
  engine('emptytheory')(rules);
  known.clear();
}

function answer(line) {
  const request = JSON.parse(line);
  if ('query' in request) return ask(request.facts, request.sentences, request.query);
  if ('state' in request) return play(request);
  if ('game' in request) return { loaded: loadGame(request.game, request.sentences) };
  return { loaded: load(request.text, request.sentences) };
}

function guarded(work) {
  try {
    reply(work());
  } catch (problem) {
    reply({ error: describe(problem) });
  }
}

guarded(() => {
  start(argv[2]);
  return { ready: true };
});
readline.createInterface({ input: stdin, terminal: false }).on('line', (line) => guarded(() => answer(line)));
