"""What a report may claim, as types, and the only place where claims become words.

```
relations   Estimate with its interval, Counter, and how one configuration stands to another, as its figures show
timing      from times and limits to relations
phrases     verbs, adjectives and table entries for a relation
sentences   whole sentences and clauses, registered, so that a test can ask for a case of each
```
"""
