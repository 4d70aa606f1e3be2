"""What a report may claim, as types, and the only place where claims become words.

```
values      Estimate with its interval, Bound, Counter
relations   how one configuration stands to another; each refuses figures that do not support it
timing      from times and limits to relations
phrases     verbs, adjectives and table entries for a relation
sentences   whole sentences and clauses, registered, so that a test can ask for a case of each
```
"""
