import type { LauncherKind } from '@/lib/services/training/launch';

interface HeldRole {
  project: string;
  role: string;
}

/** "rival10: curator, researcher; birds: worker". */
export function describeRoles(held: HeldRole[]): string {
  const byProject = new Map<string, string[]>();
  for (const { project, role } of held) byProject.set(project, [...(byProject.get(project) ?? []), role]);
  return [...byProject].map(([project, roles]) => `${project}: ${roles.join(', ')}`).join('; ');
}

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

export const placeNames: Record<LauncherKind, string> = {
  local: 'this instance',
  slurm: 'Slurm',
  remote: 'elsewhere',
};

/** "2 × NVIDIA A100, 40 GB". */
export function gpuText(gpus: readonly { name: string; memoryGb: number }[]): string {
  const counts = new Map<string, number>();
  for (const { name, memoryGb } of gpus) {
    const kind = memoryGb > 0 ? `${name}, ${memoryGb} GB` : name;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, n]) => (n > 1 ? `${n} × ${kind}` : kind)).join('; ') || 'none';
}
