import type { Tone } from '@/app/_ui/tone';

const tones: Record<string, Tone> = {
  active: 'good',
  refresher: 'busy',
  paused: 'warn',
  ended: 'bad',
  'exam failed': 'bad',
};

/** The tone of a worker's state; neutral by default. */
export const workerTone = (state: string): Tone => tones[state] ?? 'neutral';
