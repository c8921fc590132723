"""The script that a visit runs: it opens the front door, app.py, and that is all.

It stands here, not in app.py, for one reason. Next to a folder that is called pages/, Streamlit takes the first visit
after a start for one to a site of the older kind, whose pages are the scripts in that folder: a link to /heads then
opens on a box that says there is no such page. This file has no such folder beside it.

A process that trains runs it again under another name, as Python has every new process do, and must not visit a page.
"""

if __name__ == "__main__":
    import app

    app.main()
