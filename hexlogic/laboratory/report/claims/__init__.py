"""What a report may claim, as types, and the only place where claims become words.

```
noise       intervals and probabilities from few repeats
relations   how one configuration stands to another, from times and limits
sentences   the words for it, each sentence registered, so that a test can ask for a case of each
```
"""
