from . import mask as mask
from . import mask_runs as mask_runs
from . import recall as recall
from . import recall_runs as recall_runs
from . import reviews as reviews
from . import reviews_runs as reviews_runs
from . import scaling as scaling
from . import scaling_runs as scaling_runs
