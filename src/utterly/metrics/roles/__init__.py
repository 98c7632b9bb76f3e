"""Semantic roles: does the rewrite say who did what to whom, as its target does? Table 8 of the paper.

Arguments are compared whoever finds them: a `RoleLabeller`. For Chinese that is `LtpLabeller` here; for English,
`utterly.networks.roles.RoleTagger`, which is trained by a recipe.
"""

from utterly.metrics.roles.arguments import Argument, RoleLabeller, role_measures
from utterly.metrics.roles.chinese import LtpLabeller

__all__ = ["Argument", "LtpLabeller", "RoleLabeller", "role_measures"]
