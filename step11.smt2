(set-logic ALL)
(declare-sort Thing 0)
(declare-const |size columns| Int)
(assert (<= 1 |size columns|))
(declare-const |size rows| Int)
(assert (<= 1 |size rows|))
(declare-const |value 'c'L| Int)
(declare-const |value 'c'P| Thing)
(declare-const |value 'c'X| Int)
(declare-fun |adjacent/2| (Int Int) Bool)
(declare-fun |candidate/2| (Thing Int) Bool)
(declare-fun |cluster/3| (Int Int Thing) Bool)
(declare-fun |first/2| (Thing Int) Bool)
(declare-fun |has_smaller/2| (Thing Int) Bool)
(declare-fun |labelled/3| (Thing Int Int) Bool)
(declare-fun |last/2| (Thing Int) Bool)
(declare-fun |least/3| (Thing Int Int) Bool)
(declare-fun |outranked/2| (Thing Int) Bool)
(declare-fun |owns/2| (Thing Int) Bool)
(declare-fun |same_cluster/3| (Thing Int Int) Bool)
(declare-fun |smaller/3| (Thing Int Int) Bool)
(declare-fun |starts/2| (Thing Int) Bool)
(declare-fun |wins_left/1| (Thing) Bool)
(declare-fun |wins_right/1| (Thing) Bool)
; only rule 1: has_smaller(P,X) :- owns(P,X), adjacent(X,Y), owns(P,Y), Y < X.
(assert (forall ((P Thing) (X Int)) (= (|has_smaller/2| P X) (exists ((Y Int)) (and (|owns/2| P X) (|adjacent/2| X Y) (|owns/2| P Y) (< Y X))))))
; only rule 2: candidate(P,X) :- owns(P,X), not has_smaller(P,X).
(assert (forall ((P Thing) (X Int)) (= (|candidate/2| P X) (and (|owns/2| P X) (not (|has_smaller/2| P X))))))
; rule 3: labelled(P,X,X) :- candidate(P,X).
(assert (forall ((P Thing) (X Int)) (=> (|candidate/2| P X) (|labelled/3| P X X))))
; rule 4: labelled(P,Y,L) :- labelled(P,X,L), adjacent(X,Y), owns(P,Y).
(assert (forall ((L Int) (P Thing) (X Int) (Y Int)) (=> (and (|labelled/3| P X L) (|adjacent/2| X Y) (|owns/2| P Y)) (|labelled/3| P Y L))))
; only rule 5: outranked(P,L) :- candidate(P,L), labelled(P,L,K), K < L.
(assert (forall ((P Thing) (L Int)) (= (|outranked/2| P L) (exists ((K Int)) (and (|candidate/2| P L) (|labelled/3| P L K) (< K L))))))
; only rule 6: cluster(L,X,P) :- labelled(P,X,L), not outranked(P,L).
(assert (forall ((L Int) (X Int) (P Thing)) (= (|cluster/3| L X P) (and (|labelled/3| P X L) (not (|outranked/2| P L))))))
; only rule 7: wins_left(P) :- cluster(L,X,P), first(P,X), cluster(L,Y,P), last(P,Y).
(assert (forall ((P Thing)) (= (|wins_left/1| P) (exists ((L Int) (X Int) (Y Int)) (and (|cluster/3| L X P) (|first/2| P X) (|cluster/3| L Y P) (|last/2| P Y))))))
; rule 8: same_cluster(P,X,X) :- owns(P,X).
(assert (forall ((P Thing) (X Int)) (=> (|owns/2| P X) (|same_cluster/3| P X X))))
; rule 9: same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).
(assert (forall ((P Thing) (X Int) (Y Int) (Z Int)) (=> (and (|same_cluster/3| P X Y) (|adjacent/2| Y Z) (|owns/2| P Z)) (|same_cluster/3| P X Z))))
; only rule 10: starts(P,X) :- owns(P,X), first(P,X).
(assert (forall ((P Thing) (X Int)) (= (|starts/2| P X) (and (|owns/2| P X) (|first/2| P X)))))
; only rule 11: wins_right(P) :- same_cluster(P,X,Y), starts(P,X), last(P,Y).
(assert (forall ((P Thing)) (= (|wins_right/1| P) (exists ((X Int) (Y Int)) (and (|same_cluster/3| P X Y) (|starts/2| P X) (|last/2| P Y))))))
; only rule 12: least(P,X,L) :- same_cluster(P,X,L), not smaller(P,X,L).
(assert (forall ((P Thing) (X Int) (L Int)) (= (|least/3| P X L) (and (|same_cluster/3| P X L) (not (|smaller/3| P X L))))))
; only rule 13: smaller(P,X,L) :- same_cluster(P,X,L), same_cluster(P,X,K), K < L.
(assert (forall ((P Thing) (X Int) (L Int)) (= (|smaller/3| P X L) (exists ((K Int)) (and (|same_cluster/3| P X L) (|same_cluster/3| P X K) (< K L))))))
; learned 1: adjacent(Y,X) :- adjacent(X,Y).
(assert (forall ((X Int) (Y Int)) (=> (|adjacent/2| X Y) (|adjacent/2| Y X))))
; learned 2: least(P,X,L) :- owns(P,X).
(assert (forall ((P Thing) (X Int)) (=> (|owns/2| P X) (exists ((L Int)) (|least/3| P X L)))))
; learned 3: owns(P,X) :- same_cluster(P,X,Y).
(assert (forall ((P Thing) (X Int) (Y Int)) (=> (|same_cluster/3| P X Y) (|owns/2| P X))))
; learned 4: owns(P,Y) :- same_cluster(P,X,Y).
(assert (forall ((P Thing) (X Int) (Y Int)) (=> (|same_cluster/3| P X Y) (|owns/2| P Y))))
; learned 5: same_cluster(P,X,Z) :- same_cluster(P,Y,Z), same_cluster(P,X,Y).
(assert (forall ((P Thing) (X Int) (Y Int) (Z Int)) (=> (and (|same_cluster/3| P Y Z) (|same_cluster/3| P X Y)) (|same_cluster/3| P X Z))))
; learned 6: same_cluster(P,Y,X) :- same_cluster(P,X,Y).
(assert (forall ((P Thing) (X Int) (Y Int)) (=> (|same_cluster/3| P X Y) (|same_cluster/3| P Y X))))
; learned 7: same_cluster(P,L,X) :- labelled(P,X,L).
(assert (forall ((L Int) (P Thing) (X Int)) (=> (|labelled/3| P X L) (|same_cluster/3| P L X))))
; learned 8: :- has_smaller(P,L), least(P,X,L).
(assert (forall ((L Int) (P Thing) (X Int)) (=> (and (|has_smaller/2| P L) (|least/3| P X L)) false)))
; fact 1: frozen
(assert (|least/3| |value 'c'P| |value 'c'X| |value 'c'L|))
; fact 2: frozen
(assert (|same_cluster/3| |value 'c'P| |value 'c'X| |value 'c'L|))
; fact 3: frozen
(assert (not (|smaller/3| |value 'c'P| |value 'c'X| |value 'c'L|)))
; goal, negated: candidate('c'P,'c'L)
(assert (not (|candidate/2| |value 'c'P| |value 'c'L|)))
(check-sat)
