"""Node for the CDK, wherever `pytest` was started."""

import os
import shutil
import sys
from pathlib import Path

# jsii looks for Node when `aws_cdk` is first imported; the development requirements bring a supported one along.
if node := shutil.which("node", path=str(Path(sys.executable).parent)):
    os.environ.setdefault("JSII_NODE", node)
