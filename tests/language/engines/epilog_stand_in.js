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
var builtins = ['plus', 'minus', 'times', 'quotient', 'remainder'];

// ---------------------------------------------------------------- reading

function fastreaddata(text) {
  var tokens = text.replace(/%[^\n]*/g, '').match(/:-|[&~(),]|-?[A-Za-z0-9_.+*\/]+|\S/g) || [];
  var at = 0;
  function expect(token) {
    if (tokens[at++] !== token) throw 'error';
  }
  function term() {
    var name = tokens[at++];
    if (name === undefined || !/^-?[A-Za-z0-9_.+*\/]+$/.test(name)) throw 'error';
    if (tokens[at] !== '(') return name;
    var term_ = [name];
    do {
      at++;
      term_.push(term());
    } while (tokens[at] === ',');
    expect(')');
    return term_;
  }
  function goal() {
    if (tokens[at] !== '~') return term();
    at++;
    return ['not', goal()];
  }
  var sentences = [];
  while (at < tokens.length) {
    var sentence = term();
    if (tokens[at] === ':-') {
      sentence = ['rule', sentence];
      do {
        at++;
        sentence.push(goal());
      } while (tokens[at] === '&');
    }
    sentences.push(sentence);
  }
  return sentences;
}

// ---------------------------------------------------------------- storing

function relationof(sentence) {
  if (typeof sentence === 'string') return sentence;
  return sentence[0] === 'rule' ? relationof(sentence[1]) : sentence[0];
}

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

function value(term) {
  if (typeof term === 'string') return term;
  var parts = term.slice(1).map(value);
  if (parts.includes(false)) return false;
  if (term[0] === 'min' || term[0] === 'trunc') {
    var numbers = checked(parts);
    return numbers === null ? false : String(Math[term[0]](...numbers));
  }
  return builtins.includes(term[0]) ? globalThis[term[0]](...parts) : false;
}

// ---------------------------------------------------------------- solving

function isvariable(term) {
  return typeof term === 'string' && /^[A-Z]/.test(term);
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
  switch (typeof goal === 'string' ? '' : goal[0]) {
    case 'not':
      return !solve([goal[1]], facts, rules) && then();
    case 'same':
      return matching(goal[1], goal[2], then);
    case 'distinct':
      return !matching(goal[1], goal[2], () => true) && then();
    case 'evaluate': {
      var result = value(walk(goal[1]));
      return result !== false && matching(result, goal[2], then);
    }
  }
  var name = relationof(goal);
  if (!viewp(name, rules)) {
    return (facts[name] || []).some((fact) => {
      instantiations++;
      return matching(fact, goal, then);
    });
  }
  return rules[name].some((sentence) => {
    inferences++;
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
