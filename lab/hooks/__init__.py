"""What the lab relies on inside of Streamlit, plotly, KaTeX and the browser's history: every hook, and why.

    dom.js      names of places on the page                      tried by tests/browser/test_hooks.py
    history.js  how an address is opened without a reload        the same
    runtime.py  private names of Streamlit's server              tests/lab/hooks/test_runtime.py
    dom.py      puts the names of dom.js into style sheets

Nobody else may reach in there: tests/lab/hooks/test_law.py. So a new Streamlit is tried by these three tests, and what
it has changed is put right here (CONTRIBUTING, "Upgrade Streamlit").
"""
