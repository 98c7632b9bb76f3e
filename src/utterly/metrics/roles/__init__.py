"""Semantic roles: does the rewrite say who did what to whom, as its target does? Table 8 of the paper.

A `RoleLabeller` finds the arguments to compare: `LtpLabeller` here for Chinese; `utterly.networks.roles.RoleTagger`,
trained by a recipe, for English.
"""

from utterly.metrics.roles.arguments import Argument, RoleLabeller, role_measures
from utterly.metrics.roles.chinese import LtpLabeller

__all__ = ["Argument", "LtpLabeller", "RoleLabeller", "role_measures"]
