"""What the lab relies on inside of Streamlit, plotly, KaTeX and the browser's history: every hook, and why.

    dom.js      names of places on the page, and why we reach for them    tests/browser/test_hooks.py
    history.js  how an address is opened without loading the app anew     the same
    watch.js    one observer of what Streamlit draws                      tests/js/hooks.test.js
    document.py Streamlit's HTML document and the scripts it loads later  tests/lab/hooks/test_document.py
    runtime.py  private names of Streamlit's server                       tests/lab/hooks/test_runtime.py
    dom.py      puts the names of dom.js into style sheets                tests/lab/hooks/test_law.py

Nobody else may reach in there, says the last of these tests. So a new Streamlit is tried by them all, and what it has
changed is put right here (CONTRIBUTING, "Upgrade Streamlit"). Two hooks stand where they belong more:

    attention_view/lab.js   mount() is called as Streamlit calls components; what it chooses is told to the page around
                            a hosted app (SET_QUERY_PARAM). It is a library of its own, which knows nothing of the lab.
    lab/server/memory.py    mallopt and malloc_trim of the C library, where it has them: how memory is given back.
"""
