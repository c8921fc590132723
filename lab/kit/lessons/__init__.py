"""Lessons: a Markdown file with stops becomes a story that leads through the views of the app. See lessons/README.md.

lesson.py  what a lesson is      reader.py  Markdown to a lesson, or what is wrong with it, line by line
shelf.py    the lessons that are here, and lessons within a link
lead.py    the bar at the foot, the prediction before a view, the question after it
"""
