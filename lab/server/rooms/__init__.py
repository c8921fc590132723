"""Rooms: a class answers questions on phones, and a projector shows what it thinks beside what the model says.

    rooms.open(visitor.key(), plan) -> "KRTM"      a teacher; phones then come by lab/frame/rooms

plan.py says what can be asked, rooms.py what becomes of it, shelf.py and redis_shelf.py where it is kept: in the memory
of this process, or, where ATTENTION_LAB_ROOMS names one (redis://…), in a Redis or Valkey that several servers share.
"""

from functools import cache

from lab.server.environment import ROOMS
from lab.server.rooms.rooms import Rooms
from lab.server.rooms.shelf import Memory


@cache
def rooms() -> Rooms:
    """The rooms of this server. Raises RuntimeError where a Redis is named and redis-py is not installed."""
    address = ROOMS.read()
    if not address:
        return Rooms(Memory())
    from lab.server.rooms.redis_shelf import RedisShelf

    return Rooms(RedisShelf(address))
