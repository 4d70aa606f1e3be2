% The requests of game_driver.pl, answered as a prover without tables answers them (see swipl__sld.py).
%
% Literals are proved from left to right, and all clauses of a relation are tried in their order, without an index, as
% such provers do. The answers to a call are ground and kept, under the call up to the names of its variables, until the
% state or the moves change; for ever where neither matters. A call inside a call that is the same gets the answers
% found so far; the outer call is proved again until it has no new ones, and what is proved meanwhile is not kept.

:- module(hexlogic_sld, []).
:- set_module(class(library)).

:- dynamic memo/2, kind/3, settled/0, asking/2, called_again/1.
:- multifile hexlogic_game:goal_expansion/2.
:- dynamic hexlogic_game:goal_expansion/2.

hexlogic_game:goal_expansion(findall(Term, user:Goal, Found), findall(Term, hexlogic_sld:prove(Goal), Found)).
hexlogic_game:goal_expansion(abolish_all_tables, hexlogic_sld:forget).
:- load_files(game_driver).

% `over` stands inside arguments too, which goal expansion does not enter: there the engine's tables, which are never
% dropped here, would answer.
:- abolish(hexlogic_game:over/0).
:- assertz((hexlogic_game:over :- hexlogic_sld:holds(terminal))).

% memo(Kind, Trie): the answers that go with the state and the moves, and those that stay.
forget :-
    settle,
    (   retract(memo(state, Old)) -> trie_destroy(Old) ; true ),
    trie_new(New),
    assertz(memo(state, New)),
    retractall(asking(_, _)),
    retractall(called_again(_)).

% kind(Name, Arity, Kind): a predicate of the sheet, whose answers go with the state (and the moves) or are fixed.
% Found once, when the sheet is there. Predicates of Prolog have no kind.
settle :- settled, !.
settle :-
    assertz(settled),
    trie_new(Fixed),
    assertz(memo(fixed, Fixed)),
    assertz(kind(user_true, 1, state)),
    assertz(kind(does, 2, state)),
    repeat,
    \+ spread, !,
    forall(
        ( head(Head), functor(Head, Name, Arity), \+ kind(Name, Arity, _) ),
        assertz(kind(Name, Arity, fixed))).

spread :-
    head(Head),
    functor(Head, Name, Arity),
    \+ kind(Name, Arity, _),
    clause(user:Head, Body),
    mentions(Body, Literal),
    functor(Literal, Other, Count),
    kind(Other, Count, state), !,
    assertz(kind(Name, Arity, state)).

head(Head) :-
    predicate_property(user:Head, number_of_clauses(_)),
    \+ predicate_property(user:Head, imported_from(_)).

mentions((One, Other), Literal) :- !, ( mentions(One, Literal) ; mentions(Other, Literal) ).
mentions(\+ Goal, Literal) :- !, mentions(Goal, Literal).
mentions(Literal, Literal).

holds(Goal) :- prove(Goal), !.

prove(true) :- !.
prove((One, Other)) :- !, prove(One), prove(Other).
prove(\+ Goal) :- !, \+ prove(Goal).
prove(Goal) :-
    functor(Goal, Name, Arity),
    (   kind(Name, Arity, Kind)
    ->  answers(Kind, Goal, Answers),
        answer(Goal, Answers)
    ;   call(Goal)
    ).

answer(Goal, [Goal|_]).
answer(Goal, [_|Answers]) :- answer(Goal, Answers).

answers(Kind, Goal, Answers) :-
    memo(Kind, Memo),
    (   trie_lookup(Memo, Goal, Answers) -> true
    ;   asking(Same, Found), Same =@= Goal
    ->  ( called_again(Other), Other =@= Goal -> true ; assertz(called_again(Goal)) ),
        Answers = Found
    ;   asserta(asking(Goal, []), Entry),
        proved(Entry, Goal, [], Answers),
        (   called_again(_) -> true ; trie_insert(Memo, Goal, Answers) )
    ).

proved(Entry, Goal, Before, Answers) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    findall(Goal, ( clause(user:Head, Body), Head = Goal, prove(Body) ), Found),
    sort(Found, Now),
    erase(Entry),
    (   clause(called_again(Inner), true, Call), Inner =@= Goal
    ->  erase(Call),
        (   Now == Before -> Answers = Now
        ;   asserta(asking(Goal, Now), Next),
            proved(Next, Goal, Now, Answers)
        )
    ;   Answers = Now
    ).
