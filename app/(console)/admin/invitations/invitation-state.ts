interface Invitation {
  revokedAt: Date | null;
  expiresAt: Date;
  used: number;
  seats: number;
}

/** What became of an invitation; the first reason that closed it counts. */
export function invitationState(
  invitation: Invitation,
  now: Date,
): 'open' | 'revoked' | 'used up' | 'expired' {
  if (invitation.revokedAt) return 'revoked';
  if (invitation.used >= invitation.seats) return 'used up';
  return invitation.expiresAt <= now ? 'expired' : 'open';
}
