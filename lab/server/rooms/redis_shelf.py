"""A shelf in Redis or Valkey, for several servers that share rooms. redis-py is imported only if one is named.

    room:<code>             a hash: owner, plan, state, turn, count
    room:<code>:seats       a set
    room:<code>:<slot>      a hash: seat -> answer
    room:<code>:slots       the slots that have answers
    room:<code>:ended       whose it was, for a while after its owner has ended it
    owner:<owner>           the code of the owner's room
    rooms                   codes by the time of their last answer or step
    wrong, wrong:<visitor>  wrong codes by the time at which they were tried, for a minute

Every key ends by itself: Redis forgets it when the room's day is over.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from secrets import token_hex
from time import time
from typing import Any, TypeVar

from lab.server.rooms.guesses import MAX_OF_ALL, MAX_OF_ONE, MINUTE
from lab.server.rooms.shelf import AGE, IDLE, MAX_ROOMS, MAX_SEATS, AwayError, Entry, Pulse, Shelf

T = TypeVar("T")
AWAY = "Rooms cannot be reached at the moment. Nothing is lost: wait a few seconds and try again."

PREFIX = "attention-lab:"
# A seat, if there is one or may be one: looked at and taken in one go, so that no two browsers take the last.
_SIT = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 1 end
if ARGV[2] == '0' or redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], redis.call('TTL', KEYS[1]))
redis.call('HINCRBY', KEYS[1], 'count', 1)
return 1"""
_ANSWER = """
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[5], KEYS[3])
for n = 3, 5, 2 do redis.call('EXPIRE', KEYS[n], redis.call('TTL', KEYS[1])) end
redis.call('HINCRBY', KEYS[1], 'count', 1)
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[4])
return 1"""
_STEP = """
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[4] then return 0 end
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[5] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'turn', 1)
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
return 1"""
# Keys are named here after the prefix: which room is another's, or idle, is known only when it is looked at.
_OVER = """
local prefix = KEYS[1]
local all = prefix .. 'rooms'
local function over(code)
  local room = prefix .. 'room:' .. code
  local owner = redis.call('HGET', room, 'owner')
  if owner and redis.call('GET', prefix .. 'owner:' .. owner) == code then
    redis.call('DEL', prefix .. 'owner:' .. owner)
  end
  for _, slot in ipairs(redis.call('SMEMBERS', room .. ':slots')) do redis.call('DEL', slot) end
  redis.call('DEL', room, room .. ':seats', room .. ':slots')
  redis.call('ZREM', all, code)
end
"""
_END = f"""{_OVER}
local code, owner = ARGV[1], ARGV[2]
if redis.call('HGET', prefix .. 'room:' .. code, 'owner') ~= owner then return 0 end
over(code)
redis.call('SET', prefix .. 'room:' .. code .. ':ended', owner, 'EX', ARGV[3])
return 1"""
_CREATE = f"""{_OVER}
local code, owner, now, age, idle = ARGV[1], ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local room = prefix .. 'room:' .. code
redis.call('ZREMRANGEBYSCORE', all, '-inf', now - age)
if redis.call('EXISTS', room) == 1 then return 0 end
local before = redis.call('GET', prefix .. 'owner:' .. owner)
if before and redis.call('HGET', prefix .. 'room:' .. before, 'owner') == owner then over(before) end
if redis.call('ZCARD', all) >= tonumber(ARGV[8]) then
  local idlest = redis.call('ZRANGEBYSCORE', all, '-inf', now - idle, 'LIMIT', 0, 1)[1]
  if not idlest then return 0 end
  over(idlest)
end
redis.call('HSET', room, 'owner', owner, 'plan', ARGV[3], 'state', ARGV[4], 'turn', 0, 'count', 0)
redis.call('EXPIRE', room, age)
redis.call('DEL', room .. ':ended')
redis.call('SET', prefix .. 'owner:' .. owner, code, 'EX', age)
redis.call('ZADD', all, now, code)
return 1"""
_HAND = f"""{_OVER}
local code, owner = ARGV[1], ARGV[2]
local room = prefix .. 'room:' .. code
if redis.call('HGET', room, 'state') ~= ARGV[4] then return 0 end
for _, one in ipairs({{redis.call('HGET', room, 'owner'), owner}}) do
  local theirs = redis.call('GET', prefix .. 'owner:' .. one)
  if theirs == code then redis.call('DEL', prefix .. 'owner:' .. one)
  elseif theirs and redis.call('HGET', prefix .. 'room:' .. theirs, 'owner') == one then over(theirs) end
end
redis.call('HSET', room, 'owner', owner, 'state', ARGV[3])
redis.call('HINCRBY', room, 'turn', 1)
redis.call('SET', prefix .. 'owner:' .. owner, code, 'EX', redis.call('TTL', room))
redis.call('ZADD', all, ARGV[5], code)
return 1"""

_TRY = """
local now, minute = tonumber(ARGV[1]), tonumber(ARGV[2])
for n = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[n], '-inf', now - minute)
  if redis.call('ZCARD', KEYS[n]) >= tonumber(ARGV[n + 2]) then return 0 end
end
if ARGV[5] ~= '' then
  for n = 1, 2 do
    redis.call('ZADD', KEYS[n], now, ARGV[5])
    redis.call('EXPIRE', KEYS[n], minute)
  end
end
return 1"""


def _reaching(method: Callable[..., T]) -> Callable[..., T]:
    """The same method, which says in the house's words that Redis does not answer."""

    @wraps(method)
    def reached(*args: Any, **more: Any) -> T:
        from redis.exceptions import RedisError

        try:
            return method(*args, **more)
        except RedisError as error:  # it is away, it is loading, its memory is full: none of them is a visitor's fault
            raise AwayError(AWAY) from error

    return reached


def _all_reaching(keeper: type) -> type:
    for name in filter(vars(keeper).__contains__, vars(Shelf)):
        if not name.startswith("_"):
            setattr(keeper, name, _reaching(getattr(keeper, name)))
    return keeper


@_all_reaching
class RedisShelf:
    """A shelf at this address. Raises RuntimeError where redis-py is not installed."""

    def __init__(
        self,
        address: str,
        prefix: str = PREFIX,
        max_rooms: int = 10 * MAX_ROOMS,
        max_seats: int = MAX_SEATS,
        age: float = AGE,
        idle: float = IDLE,
    ):
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError:
            raise RuntimeError("Rooms in Redis need redis-py: pip install redis") from None
        self.max_rooms, self.max_seats, self._prefix = max_rooms, max_seats, prefix
        self._age, self._idle = age, idle
        # Whoever waits for an answer is a phone in a classroom: rather a lost one, which asks again, than a stuck one.
        self._redis: Any = redis.Redis.from_url(
            address,
            decode_responses=True,
            socket_timeout=5,
            socket_connect_timeout=5,
            retry=Retry(NoBackoff(), 1),  # once: a connection that was open may be of a Redis that was started again
        )
        scripts = map(self._redis.register_script, (_SIT, _ANSWER, _STEP, _CREATE, _END, _HAND, _TRY))
        self._sit, self._answer, self._step, self._create, self._end, self._hand, self._try = scripts

    def create(self, code: str, entry: Entry) -> bool:
        bounds = (int(self._age), self._idle, self.max_rooms)
        return bool(self._create([self._prefix], [code, entry.owner, entry.plan, entry.state, time(), *bounds]))

    def is_full(self) -> bool:
        self._forget_old()
        return self._redis.zcount(self._all, time() - self._idle, "+inf") >= self.max_rooms

    def owned(self, owner: str) -> str | None:
        code = self._redis.get(self._owner(owner))
        return code if code and self._redis.hget(self._room(code), "owner") == owner else None

    def look(self, code: str) -> Entry | None:
        found = self._redis.hmget(self._room(code), "owner", "plan", "state")
        return Entry(*found) if all(found) else None

    def pulse(self, code: str) -> Pulse | None:
        turn, count = self._redis.hmget(self._room(code), "turn", "count")
        return Pulse(int(turn), int(count)) if turn is not None and count is not None else None

    def step(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        return bool(self._step([self._room(code), self._all], [state, time(), code, instead_of, owner]))

    def hand_over(self, code: str, owner: str, state: str, *, instead_of: str) -> bool:
        return bool(self._hand([self._prefix], [code, owner, state, instead_of, time()]))

    def sit(self, code: str, seat: str, *, may_come: bool) -> bool:
        return bool(self._sit([self._room(code), self._seats(code)], [seat, int(may_come), self.max_seats]))

    def is_seated(self, code: str, seat: str) -> bool:
        return bool(self._redis.sismember(self._seats(code), seat))

    def n_seats(self, code: str) -> int:
        return self._redis.scard(self._seats(code))

    def answer(self, code: str, slot: str, seat: str, value: str) -> None:
        room = self._room(code)
        keys = [room, self._seats(code), f"{room}:{slot}", self._all, f"{room}:slots"]
        self._answer(keys, [seat, value, time(), code])

    def answers(self, code: str, slot: str) -> Mapping[str, str]:
        return self._redis.hgetall(f"{self._room(code)}:{slot}")

    def end(self, code: str, owner: str) -> bool:
        return bool(self._end([self._prefix], [code, owner, max(1, int(self._idle))]))

    def ended(self, code: str) -> str | None:
        return self._redis.get(f"{self._room(code)}:ended")

    def may_try(self, visitor: str, *, is_wrong: bool) -> bool:
        wrong = f"{self._prefix}wrong"
        whose = sha256(visitor.encode()).hexdigest()[:32]  # the visitor's own key opens rooms
        name = token_hex(8) if is_wrong else ""
        keys = [wrong, f"{wrong}:{whose}"]
        return bool(self._try(keys, [time(), int(MINUTE), MAX_OF_ALL, MAX_OF_ONE, name]))

    def _forget_old(self) -> None:
        self._redis.zremrangebyscore(self._all, "-inf", time() - self._age)

    def _room(self, code: str) -> str:
        return f"{self._prefix}room:{code}"

    def _seats(self, code: str) -> str:
        return f"{self._room(code)}:seats"

    def _owner(self, owner: str) -> str:
        return f"{self._prefix}owner:{owner}"

    @property
    def _all(self) -> str:
        return f"{self._prefix}rooms"
