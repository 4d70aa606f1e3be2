% The questions and answers of one swipl process (see swipl.py): requests are terms on stdin, replies lines on stdout.
%
%   load.                  the program text follows, up to the term end_of_file.   -->  loaded Seconds
%   ask([Fact,...],Goal).  -->  yes Inferences Seconds CPU  |  no Inferences Seconds CPU
%   set(Fact).             Fact holds in all that follows  -->  done
%   unset.                 the last one set does not       -->  done
%   look([Goal,...]).      -->  truths Bits (the first goal is the lowest bit)
%   any of them, failing   -->  error What

:- module(hexlogic_driver, []).
% A module of class library sees the system only, so a program that defines member/2 or append/3 cannot disturb it.
:- set_module(class(library)).

:- multifile handle/1.  % another driver may answer more requests
:- dynamic overhead/1, complaint/1, loading/0, added/1, standing/1.
:- multifile user:message_hook/3.

% While loading, every warning and error counts.
user:message_hook(_, Kind, Lines) :-
    ( Kind == error ; Kind == warning ),
    hexlogic_driver:loading,
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    assertz(hexlogic_driver:complaint(Text)).

% The first uses of tabling in a process set it up and count more inferences. Let them happen before any question:
% a table that is its own leader, two that become one component, and a negation of a finished table.
:- table warm/2, cold/2.
warm(X, Y) :- warm(X, Z), step(Z, Y).
warm(X, Y) :- step(X, Z), warm(Z, Y).
warm(X, X).
step(1, 2).
step(2, 1).
cold(X, Y) :- step(X, Y), \+ warm(X, Y).
cold(X, Y) :- step(X, Z), cold(Z, Y).

start :-
    ( warm(1, _), warm(_, _), \+ cold(1, _), abolish_all_tables, fail ; abolish_all_tables ),
    measure(true, _, Inferences, _, _),
    asserta(overhead(Inferences)),
    reply(ready, []),
    repeat,
    read_term(user_input, Request, [module(hexlogic_driver)]),
    handle(Request),
    fail.

handle(end_of_file) :- !, halt(0).
handle(load) :- !,
    get_time(Begin),
    assertz(loading),
    catch(load_files(user:program, [stream(user_input), silent(true)]), Error, print_message(error, Error)),
    retractall(loading),
    get_time(End),
    Seconds is End-Begin,
    (   setof(Text, complaint(Text), Texts)
    ->  atomic_list_concat(Texts, Text), failure(Text)
    ;   reply(loaded, [Seconds])
    ).
handle(ask(Facts, Goal)) :-
    catch(question(Facts, Goal), Error, (message_text(Error, Text), failure(Text))).

handle(set(Fact)) :-
    (   catch(assertz(user:Fact, Reference), Error, (message_text(Error, Text), failure(Text), fail))
    ->  asserta(standing(Reference)), reply(done, [])
    ;   true
    ).
handle(unset) :-
    retract(standing(Reference)), !,
    erase(Reference),
    reply(done, []).
handle(look(Goals)) :-
    catch(look(Goals), Error, (message_text(Error, Text), failure(Text))).

look(Goals) :-
    setup_call_cleanup(true, truths(Goals, 1, 0, Bits), abolish_all_tables),
    reply(truths, [Bits]).

truths([], _, Bits, Bits).
truths([Goal|Goals], Bit, Before, Bits) :-
    known(Goal),
    ( user:Goal -> Now is Before+Bit ; Now = Before ),
    Next is 2*Bit,
    truths(Goals, Next, Now, Bits).

question(Facts, Goal) :-
    known(Goal),
    setup_call_cleanup(
        true,
        ( add(Facts), measure(Goal, Holds, Inferences, Seconds, CPU) ),
        ( forget, abolish_all_tables )),
    overhead(Overhead),
    Work is Inferences-Overhead,
    reply(Holds, [Work, Seconds, CPU]).

% A predicate that the program does not mention holds nowhere.
known(Goal) :-
    (   predicate_property(user:Goal, defined) -> true
    ;   functor(Goal, Name, Arity), dynamic(user:Name/Arity)
    ).

add(Facts) :-
    member_of(Fact, Facts),
    assertz(user:Fact, Reference),
    assertz(added(Reference)),
    fail.
add(_).

forget :-
    retract(added(Reference)),
    erase(Reference),
    fail.
forget.

member_of(Item, [Item|_]).
member_of(Item, [_|Items]) :- member_of(Item, Items).

% Only the call stands between the two readings; the if-then-else stops at the first answer.
measure(Goal, Holds, Inferences, Seconds, CPU) :-
    statistics(process_cputime, Spent),
    get_time(Begin),
    statistics(inferences, Before),
    (   user:Goal -> Holds = yes ; Holds = no ),
    statistics(inferences, After),
    get_time(End),
    statistics(process_cputime, Used),
    Inferences is After-Before,
    Seconds is End-Begin,
    CPU is Used-Spent.

message_text(Error, Text) :-
    message_to_codes(Error, Text), !.
message_text(Error, Text) :-
    format(string(Text), "~q", [Error]).

message_to_codes(Error, Text) :-
    '$messages':translate_message(Error, Lines, []),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

% One line per reply: the lines of a message become one.
failure(Text) :-
    split_string(Text, "\n", " \t", Parts0),
    delete_empty(Parts0, Parts),
    atomic_list_concat(Parts, ' ', Line),
    reply(error, [Line]).

delete_empty([], []).
delete_empty([Part|Parts], Kept) :-
    (   Part == "" -> Kept = Rest ; Kept = [Part|Rest] ),
    delete_empty(Parts, Rest).

reply(Kind, Values) :-
    atomic_list_concat([Kind|Values], ' ', Line),
    format(user_output, "~w~n", [Line]),
    flush_output(user_output).
