// A stand-in for Stanford's epilog.js, which may not be handed on: the few functions that epilog_runner.js calls, with
// the properties that hexlogic has to live with. Written for these tests; it shares no code with Epilog.
//
// - `&` joins goals; a comma does not, and a dot is part of a name.
// - A relation that has rules is looked up among the rules alone, by name, whatever its arity.
// - Facts are found through properties of an array: a relation called `length` or `map` would be lost.
// - Goals are solved left to right without tables, one JavaScript call inside the other.

var inferences = 0;
var instantiations = 0;
var fresh = 0;
var bindings = new Map();
var goals_after = [];
var builtins = ['plus', 'minus', 'times', 'quotient', 'remainder'];

// ---------------------------------------------------------------- reading

function fastreaddata(text) {
  var words = /:-|::|==>|[&~(),!|[\]]|"[^"\n]*"|-?[A-Za-z0-9_.+*\/][A-Za-z0-9_.+*\/-]*|\S/g;
  var tokens = text.replace(/%[^\n]*/g, '').match(words) || [];
  var at = 0;
  function expect(token) {
    if (tokens[at++] !== token) throw 'error';
  }
  function separated(close) {
    var parts = [];
    if (tokens[at] === close) return at++, parts;
    for (;;) {
      parts.push(disjunction());
      if (tokens[at] !== ',') break;
      at++;
    }
    expect(close);
    return parts;
  }
  function prefix() {
    var name = tokens[at++];
    if (name === '~') return ['not', prefix()];
    if (name === '(') {
      var inner = transition();
      expect(')');
      return inner;
    }
    if (name === '[') return separated(']').reduceRight((tail, head) => ['cons', head, tail], 'nil');
    if (name === '_') return '_' + fresh++;
    if (name === undefined || !/^(-?[A-Za-z0-9_.+*\/-]+|".*")$/.test(name)) throw 'error';
    if (tokens[at] !== '(') return name;
    at++;
    return [name].concat(separated(')'));
  }
  function pair() {
    var head = prefix();
    if (tokens[at] !== '!') return head;
    at++;
    return ['cons', head, pair()];
  }
  function chain(sign, word, part) {
    var parts = [part()];
    while (tokens[at] === sign) at++, parts.push(part());
    return parts.length === 1 ? parts[0] : [word].concat(parts);
  }
  function conjunction() {
    return chain('&', 'and', pair);
  }
  function disjunction() {
    return chain('|', 'or', conjunction);
  }
  function transition() {
    var left = disjunction();
    if (tokens[at] !== '==>') return left;
    at++;
    return ['transition', left, transition()];
  }
  var sentences = [];
  while (at < tokens.length) {
    var sentence = pair();
    if (tokens[at] === ':-') {
      at++;
      var body = disjunction();
      sentence = ['rule', sentence].concat(body[0] === 'and' ? body.slice(1) : [body]);
    } else if (tokens[at] === '::') {
      at++;
      sentence = ['handler', sentence, transition()];
    }
    sentences.push(sentence);
  }
  return sentences;
}

// ---------------------------------------------------------------- storing

function relationof(sentence) {
  if (typeof sentence === 'string') return sentence;
  return sentence[0] === 'rule' || sentence[0] === 'handler' ? relationof(sentence[1]) : sentence[0];
}

var indexing = true;
var dataindexing = true;

function insertfact(sentence, theory) {
  var name = relationof(sentence);
  theory.push(sentence);
  if (theory[name] === undefined) theory[name] = [];
  theory[name].push(sentence);
}

function uninsertfact(sentence, theory) {
  theory.splice(theory.indexOf(sentence), 1);
  var same = theory[relationof(sentence)];
  same.splice(same.indexOf(sentence), 1);
}

function insertrule(sentence, theory) {
  insertfact(sentence, theory);
}

function uninsertrule(sentence, theory) {
  uninsertfact(sentence, theory);
}

function emptytheory(theory) {
  Object.keys(theory).forEach((key) => delete theory[key]);
  theory.length = 0;
}

function viewp(name, rules) {
  return (rules[name] || []).length > 0;
}

// ---------------------------------------------------------------- computing

function checked(values) {
  var numbers = values.map(Number);
  return numbers.some(isNaN) ? null : numbers;
}

function fold(values, step) {
  var numbers = checked(values);
  return numbers === null ? false : String(numbers.reduce(step));
}

function plus(...values) {
  return fold(values, (one, two) => one + two);
}

function minus(...values) {
  return fold(values, (one, two) => one - two);
}

function times(...values) {
  return fold(values, (one, two) => one * two);
}

function quotient(...values) {
  return fold(values, (one, two) => one / two);
}

function remainder(...values) {
  return fold(values, (one, two) => one % two);
}

function listed(term) {
  var items = [];
  for (; term[0] === 'cons'; term = term[2]) items.push(term[1]);
  return items;
}

function aslist(items) {
  return items.reduceRight((tail, head) => ['cons', head, tail], 'nil');
}

var onlists = {
  length: (list) => String(listed(list).length),
  first: (list) => list[1],
  rest: (list) => list[2],
  last: (list) => listed(list).pop(),
  reverse: (list) => aslist(listed(list).reverse()),
  append: (...lists) => aslist(lists.flatMap(listed)),
};
var onnumbers = ['min', 'max', 'trunc', 'abs', 'floor', 'ceil', 'sqrt', 'pow'];

function value(term, facts, rules) {
  if (typeof term === 'string') return isvariable(term) ? false : term;
  if (term[0] === 'countofall') return String(compfinds(term[1], term[2], facts, rules).length);
  var parts = term.slice(1).map((part) => value(part, facts, rules));
  if (parts.includes(false)) return false;
  if (onnumbers.includes(term[0])) {
    var numbers = checked(parts);
    return numbers === null ? false : String(Math[term[0]](...numbers));
  }
  if (term[0] in onlists) return onlists[term[0]](...parts) || false;
  return builtins.includes(term[0]) ? globalThis[term[0]](...parts) : [term[0]].concat(parts);
}

// ---------------------------------------------------------------- solving

function isvariable(term) {
  return typeof term === 'string' && /^[A-Z_]/.test(term);
}

function walk(term) {
  while (isvariable(term) && bindings.has(term)) term = bindings.get(term);
  return typeof term === 'string' ? term : [term[0]].concat(term.slice(1).map(walk));
}

function unify(one, two, trail) {
  one = walk(one);
  two = walk(two);
  if (isvariable(one) || isvariable(two)) {
    if (one !== two) {
      var name = isvariable(one) ? one : two;
      bindings.set(name, name === one ? two : one);
      trail.push(name);
    }
    return true;
  }
  if (typeof one === 'string' || typeof two === 'string') return one === two;
  return one.length === two.length && one.every((part, place) => unify(part, two[place], trail));
}

// Whether the terms match and `then` holds; the bindings are gone afterwards either way.
function matching(one, two, then) {
  var trail = [];
  var found = unify(one, two, trail) && then();
  trail.forEach((name) => bindings.delete(name));
  return found;
}

function renamed(term, suffix) {
  if (typeof term === 'string') return isvariable(term) ? term + suffix : term;
  return [term[0]].concat(term.slice(1).map((part) => renamed(part, suffix)));
}

function solve(goals, facts, rules) {
  if (goals.length === 0) return true;
  var goal = goals[0];
  var rest = goals.slice(1);
  var then = () => solve(rest, facts, rules);
  if (goal[0] === 'hexlogic_collect') return goals_after[goals_after.length - 1]();
  switch (typeof goal === 'string' ? '' : goal[0]) {
    case 'not':
      return !solve([goal[1]], facts, rules) && then();
    case 'same':
      return matching(goal[1], goal[2], then);
    case 'distinct':
      return !matching(goal[1], goal[2], () => true) && then();
    case 'evaluate': {
      var result = value(walk(goal[1]), facts, rules);
      return result !== false && matching(result, goal[2], then);
    }
    case 'and':
      return solve(goal.slice(1).concat(rest), facts, rules);
    case 'or':
      return goal.slice(1).some((part) => solve([part].concat(rest), facts, rules));
    case 'member':
      return listed(walk(goal[2])).some((item) => matching(item, goal[1], then));
    case 'leq':
      return Number(walk(goal[1])) <= Number(walk(goal[2])) && then();
    case 'less':
      return Number(walk(goal[1])) < Number(walk(goal[2])) && then();
    case 'exists':
      return someanswer(walk(goal[2]), facts, rules) && then();
    case 'countofall':
      return matching(value(walk(goal).slice(0, 3), facts, rules), goal[3], then);
    default:
      if (goal[0] in onlists || builtins.includes(goal[0]) || onnumbers.includes(goal[0])) {
        var output = value(walk(goal.slice(0, -1)), facts, rules);
        return output !== false && matching(output, goal[goal.length - 1], then);
      }
  }
  if (goal === 'true') return then();
  var name = relationof(goal);
  if (!viewp(name, rules)) {
    return (dataindexing ? facts[name] || [] : facts).some((fact) => {
      instantiations++;
      return matching(fact, goal, then);
    });
  }
  return rules[name].some((sentence) => {
    inferences++;
    if (sentence[0] === 'handler') return false;
    var [head, ...body] = sentence[0] === 'rule' ? sentence.slice(1) : [sentence];
    var suffix = '_' + fresh++;
    return matching(renamed(head, suffix), goal, () =>
      solve(body.map((part) => renamed(part, suffix)).concat(rest), facts, rules)
    );
  });
}

function compfindp(query, facts, rules) {
  bindings.clear();
  return solve([query], facts, rules);
}

// ---------------------------------------------------------------- games

function someanswer(query, facts, rules) {
  return solve([query], facts, rules);
}

function compfinds(pattern, query, facts, rules) {
  var answers = new Map();
  var collect = () => {
    var answer = walk(pattern);
    answers.set(JSON.stringify(answer), answer);
    return false;
  };
  goals_after.push(collect);
  solve([query, ['hexlogic_collect']], facts, rules);
  goals_after.pop();
  return [...answers.values()];
}

function compfindx(pattern, query, facts, rules) {
  return compfinds(pattern, query, facts, rules)[0] || false;
}

function find(item, items) {
  return items.some((other) => JSON.stringify(other) === JSON.stringify(item));
}

// The effects of a move: those of all its operations; an effect with operations of its own brings theirs.
function compexpand(seed, facts, rules) {
  if (seed[0] === 'not') return [seed];
  if (seed[0] === 'and') return seed.slice(1).flatMap((part) => compexpand(part, facts, rules));
  if (seed[0] === 'transition') {
    return compfinds(seed[2], seed[1], facts, rules).flatMap((change) => compexpand(change, facts, rules));
  }
  var own = (rules[relationof(seed)] || []).filter((sentence) => {
    return sentence[0] === 'handler' && matching(renamed(sentence[1], '_h'), seed, () => true);
  });
  if (own.length === 0) return [seed];
  return own.flatMap((sentence) => {
    var effects;
    var suffix = '_' + fresh++;
    matching(renamed(sentence[1], suffix), seed, () => {
      effects = walk(renamed(sentence[2], suffix));
      return true;
    });
    return compexpand(effects, facts, rules);
  });
}
