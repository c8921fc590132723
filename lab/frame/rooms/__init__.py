"""The doors of rooms: the page that phones open, the page that a projector shows, and what the two ask the server for.

Neither page is a session of Streamlit's: a phone is one request that waits until there is something new. So a class of
a hundred costs hardly more than one visitor. What may be asked, and by whom, is checked here; what it does, in
lab/server/rooms.

    GET  /join                     the page of a phone; ?room=KRTM as in the QR code, or the code is typed there
    GET  /projector?room=KRTM      the page of the teacher who opened the room
    POST /rooms/KRTM/seat          takes a seat, and gives the browser its key if it has none
    GET  /rooms/KRTM/phone         what the phone shows, once that is not `since` any more
    POST /rooms/KRTM/answer        an answer: at, round, value
    GET  /rooms/KRTM/projector     what the projector shows, in the same way; the teacher's browser only
    POST /rooms/KRTM/turn          what the teacher wishes; the same
    GET  /rooms/KRTM/answers.csv   all that was answered, as a file; the same
    GET  /rooms/qr?address=…       the QR code of the address of /join
"""

from starlette.routing import Route
from streamlit import config

from lab.frame.rooms import doors, page


def routes() -> list[Route]:
    """All of them, below the path that the app is served under."""
    base = config.get_option("server.baseUrlPath").strip("/")
    base = f"/{base}" if base else ""
    return [
        Route(f"{base}/join", page.phone),
        Route(f"{base}/projector", page.projector),
        Route(f"{base}/rooms/{{file}}.css", page.sheet),
        Route(f"{base}/rooms/{{file}}.js", page.script),
        Route(f"{base}/rooms/qr", doors.qr),
        Route(f"{base}/rooms/{{code}}/seat", doors.seat, methods=["POST"]),
        Route(f"{base}/rooms/{{code}}/phone", doors.phone),
        Route(f"{base}/rooms/{{code}}/answer", doors.answer, methods=["POST"]),
        Route(f"{base}/rooms/{{code}}/projector", doors.projector),
        Route(f"{base}/rooms/{{code}}/answers.csv", doors.answers),
        Route(f"{base}/rooms/{{code}}/turn", doors.turn, methods=["POST"]),
    ]
