import { State } from '@/app/_ui/state';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { StageStanding } from '@/lib/services/crowd/overview/list-workers';
import { workerTone } from './worker-tone';

const wordFor = (held: StageStanding | undefined) => {
  if (held?.standing) return held.standing;
  if (held?.passed) return 'active';
  return held?.attempts ? 'exam failed' : 'not begun';
};

/** One mark per stage, in the order of the stages; the words are there for whoever points or listens. */
export function StageMarks({ stages, standings }: { stages: CrowdStage[]; standings: StageStanding[] }) {
  return (
    <span className="flex items-center gap-1.5">
      {stages.map(({ id, name }) => {
        const word = wordFor(standings.find((held) => held.stageId === id));
        return (
          <span key={id} title={`${name}: ${word}`}>
            <State state={word} tone={workerTone(word)}>
              <span className="sr-only">
                {name}: {word}
              </span>
            </State>
          </span>
        );
      })}
    </span>
  );
}
