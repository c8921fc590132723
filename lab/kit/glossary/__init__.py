"""The words of the field: one sentence and one picture each, where one meets it, and what other sources call it.

Plain data, for the page of words, for the cards that open over words in prose, and for the search.
"""
