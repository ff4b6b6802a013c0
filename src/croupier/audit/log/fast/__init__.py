"""The fast path of the log audit: kernels that pass a round as right, or leave it alone.

They make no finding. A round they cannot vouch for goes to the readable judge, whole.
"""
