"""Names that Epilog and JavaScript's arrays keep for themselves: a relation of such a name is never found."""

import re

BUILTINS = frozenset(
    re.findall(
        r"\w+",
        """mutex leq less symleq symless bitlsh bitand bitior bitxor bitnot hastype plus minus times quotient remainder
    symbolize newsymbolize readstring stringify readstringall stringifyall matches submatches stringappend stringmin
    stringjoin timestamp maketimestamp getyear getmonth getdate gethour getminute getsecond first last rest sort append
    reverse revappend length listify delistify maximum minimum range midrange sum median mean variance stddev
    countofall setofall choose if map exists evaluate member same distinct not and or true false cons nil rule handler
    transition definition insert delete enqueue pos neg error abs acos acosh asin asinh atan atanh atan2 ceil cbrt cos
    clz32 cosh exp expm1 floor fround hypot imul log log1p log2 log10 max min pow random round sign sin sinh sqrt tan
    tanh trunc at concat constructor copyWithin entries every fill filter find findIndex findLast findLastIndex flat
    flatMap forEach group groupBy groupByToMap hasOwnProperty includes indexOf isPrototypeOf join keys lastIndexOf
    pop propertyIsEnumerable push reduce reduceRight shift slice some splice toLocaleString toReversed toSorted
    toSpliced toString unshift valueOf values with""",
    )
)
"""Names that a sheet cannot give to a relation of its own."""
