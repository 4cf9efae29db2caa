import type { Tone } from '@/app/_ui/tone';

const tones: Record<string, Tone> = {
  active: 'good',
  refresher: 'busy',
  paused: 'warn',
  ended: 'bad',
  'exam failed': 'bad',
};

/** How a worker's state looks; what is neither good nor bad is neutral. */
export const workerTone = (state: string): Tone => tones[state] ?? 'neutral';
