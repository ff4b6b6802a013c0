"""Records at a glance: kernels that say of a round "this is as it must be", or leave it alone.

They make no finding. A round they cannot vouch for goes to the readable judge, whole.
"""
