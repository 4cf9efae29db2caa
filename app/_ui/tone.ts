/** What a state means for the person who reads it; colour and mark follow from it. */
export type Tone = 'neutral' | 'busy' | 'good' | 'warn' | 'bad';

const tones: Record<string, Tone> = {
  queued: 'neutral',
  running: 'busy',
  retrying: 'warn',
  done: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  draft: 'neutral',
  collecting: 'busy',
  ingesting: 'busy',
  paused: 'warn',
  finished: 'good',
  archived: 'neutral',
  active: 'good',
  excluded: 'neutral',
  broken: 'bad',
  open: 'busy',
  closed: 'neutral',
  received: 'busy',
  accepted: 'good',
  duplicate: 'warn',
  refused: 'bad',
  rejected: 'bad',
  disabled: 'neutral',
  revoked: 'neutral',
  expired: 'neutral',
  promoted: 'good',
  registered: 'neutral',
  passed: 'good',
};

/** A word that is not known here is shown as it is, without judgement. */
export const toneOf = (state: string): Tone => tones[state] ?? 'neutral';
