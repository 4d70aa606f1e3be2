// The questions and answers of one Epilog process (see epilog.py): one JSON object per line, each way.
//
//   node epilog_runner.js EPILOG.js                     -->  {"ready": true}
//   {"text": TEXT, "sentences": N}                      -->  {"loaded": SECONDS}
//   {"facts": TEXT, "sentences": N, "query": SENTENCE}  -->  {"holds": BOOL, "seconds": S, "counters": {NAME: COUNT}}
//   any of them, failing                                -->  {"error": WHAT}
//
// The engine is a script for browsers: it runs in this global scope, and what it declares are names of that scope.

'use strict';

const fs = require('fs');
const readline = require('readline');
const vm = require('vm');
const { argv, cpuUsage, hrtime, stdin } = process; // taken before a script that may declare a `process` of its own

const NEEDED = ['fastreaddata', 'viewp', 'compfindp', 'emptytheory'].concat(
  ['fact', 'rule'].flatMap((kind) => ['insert' + kind, 'uninsert' + kind]),
);
const COUNTERS = ['inferences', 'instantiations'];

// What the printed text relies on. An engine that reads one of these as an unknown relation would answer "no" for good.
const PROBE = `% a comment
hexlogic_probe(X) :- hexlogic_one(X) & ~hexlogic_two(X) & distinct(X,c1) & same(Y,3) & evaluate(min(2,10),2) &
  evaluate(plus(times(2,3),trunc(quotient(-7,2))),Y) & evaluate(remainder(minus(0,7),2),-1)
hexlogic_two(X) :- hexlogic_three(f_g_1(X),s_a)`;
const PROBE_FACTS = 'hexlogic_one(c1) hexlogic_one(c2) hexlogic_one(c3) hexlogic_three(f_g_1(c2),s_a)';
const PROBE_ANSWERS = { c1: false, c2: false, c3: true };

const facts = [];
const rules = [];
const known = new Set(); // the sentences of the program, as JSON

const engine = (code) => vm.runInThisContext(code);

function reply(value) {
  fs.writeSync(1, JSON.stringify(value) + '\n');
}

// The text's sentences. The number is a check: text that a reader swallowed would be a program that is merely empty.
function read(text, count) {
  const sentences = engine('fastreaddata')(text);
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
  vm.runInThisContext(fs.readFileSync(path, 'utf8'), { filename: path });
  const absent = NEEDED.filter((name) => engine(`typeof ${name}`) !== 'function');
  if (absent.length) throw new Error(`it does not define ${absent.join(', ')}`);
  ['quotient', 'remainder'].filter((name) => engine(`typeof ${name}`) === 'function').forEach(divideByNothing);
  load(PROBE, 2);
  for (const [value, expected] of Object.entries(PROBE_ANSWERS)) {
    if (ask(PROBE_FACTS, 4, `hexlogic_probe(${value})`).holds !== expected) {
      throw new Error('it does not evaluate negation, arithmetic or comparisons as hexlogic writes them');
    }
  }
  engine('emptytheory')(rules);
  known.clear();
}

function answer(line) {
  const request = JSON.parse(line);
  if ('query' in request) return ask(request.facts, request.sentences, request.query);
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
