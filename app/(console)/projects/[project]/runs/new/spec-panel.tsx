import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatAge, formatCount, formatDuration, formatNumber } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import type { VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import {
  type NewRun,
  planStudy,
  processorWarning,
  type StudyPlan,
} from '@/lib/services/training/runs/start-run';
import { isCalibrating } from '@/lib/services/training/trainers/calibration';
import { specText } from '../run-words';
import { refusalWords } from './read-wanted';
import { MeasureButton, StartForm } from './start-form';

interface Props {
  slug: string;
  run: NewRun;
  version: VersionSummary;
  /** The preset's own spec. */
  usual: JobSpec;
}

/** What would be trained, how long it takes, and the button that starts it. */
export async function SpecPanel({ slug, run, version, usual }: Props) {
  let plan: StudyPlan;
  try {
    plan = await planStudy(database(), version, run);
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    return (
      <Panel title="Run">
        <FormError>{refusalWords(error.message, usual)}</FormError>
      </Panel>
    );
  }
  const { train = 0, val = 0, test = 0 } = version.card.counts.bySplit;
  const { spec, rates, time, planned } = plan;
  const all = time.seconds * planned.length;
  const each = planned.length > 1 ? ' of each' : '';
  const missing = [
    ...(train === 0 ? ['train'] : []),
    ...(val === 0 ? ['val'] : []),
    ...(test === 0 ? ['test'] : []),
  ];
  const now = new Date();
  const source = rates.calibration
    ? `Rates were measured on ${rates.calibration.name} ${formatAge(rates.calibration.at, now)}.`
    : rates.epochs > 0
      ? `Rates are the median of ${formatCount(rates.epochs, 'epoch')} of earlier runs on this instance.`
      : 'No run of this size was made here yet: rates are those measured on two processor cores.';
  return (
    <>
      <StatStrip>
        <Stat label={planned.length > 1 ? 'Estimated, all runs' : 'Estimated'} value={estimated(all)} />
        <Stat label={`Training${each}`} value={estimated(time.training)} />
        <Stat label={`Validation${each}`} value={estimated(time.validation)} />
        <Stat label={`Tests${each}, at most`} value={estimated(time.testing)} />
      </StatStrip>
      <Panel
        title="Start"
        description={`${source} ${rate(rates.clean)} images a second, ${rate(rates.adversarial)} with an attack.`}
        actions={
          run.launcher === 'local' && (
            <MeasureButton slug={slug} preset={run.preset} isAtIt={await isCalibrating(database())} />
          )
        }
      >
        <div className="flex flex-col gap-3">
          {missing.length > 0 && (
            <FormError>
              {`Version ${version.number} has no images in ${missing.join(' and ')}. Freeze one with the splits train, val and test.`}
            </FormError>
          )}
          <p className="max-w-prose text-ink-2">{stepWords(spec, train)}</p>
          {plan.trials + plan.left > 1 && <SweepList plan={plan} />}
          <StartForm
            slug={slug}
            run={run}
            runs={planned.length}
            refused={missing.length > 0}
            confirm={await processorWarning(database(), run, plan)}
          />
        </div>
      </Panel>
      <Panel
        title="The whole spec"
        description="What the trainer is given, with nothing left to defaults. The id and the hash of the snapshot are put in when the run begins."
        flush
      >
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
          className="max-h-[32rem] overflow-auto p-4 font-mono text-xs leading-5"
        >
          {specText({ ...spec, id: '…', data: { ...spec.data, snapshot: '…' } })}
        </pre>
      </Panel>
    </>
  );
}

const rate = (images: number) => formatNumber(images, images < 10 ? 1 : 0);

/** Nobody can tell milliseconds before. */
const estimated = (seconds: number) =>
  seconds > 0 && seconds < 1 ? `< ${formatDuration(1)}` : formatDuration(seconds);

/** Fewer steps than this teach next to nothing. */
const FEW_STEPS = 200;

/** How often the weights are changed: few images in large batches learn nothing, however fast. */
function stepWords({ stages, train: { batchSize } }: JobSpec, images: number): string {
  const each = Math.floor(images / Math.min(batchSize, Math.max(images, 1)));
  const all = each * stages.reduce((sum, { epochs }) => sum + epochs, 0);
  const words = `${formatCount(images, 'training image')}: ${formatCount(each, 'step')} an epoch, ${formatNumber(all)} in all.`;
  return images > 0 && all < FEW_STEPS
    ? `${words} That is little to learn from: take smaller batches or more epochs.`
    : words;
}

/** More are told by their number. */
const SHOWN = 12;

/** Which combinations the budget lets through. */
function SweepList({ plan: { planned, trials, left } }: { plan: StudyPlan }) {
  const words = [...new Set(planned.map((run) => run.words))];
  const seeds = planned.length / trials;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {`${formatCount(trials, 'combination')} × ${formatCount(seeds, 'seed')} = ${formatCount(planned.length, 'run')}, one study.`}
        {left > 0 &&
          ` The budget leaves out ${formatCount(left, 'combination')}, by a draw that does not depend on the outcome.`}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2 tabular-nums">
        {words.slice(0, SHOWN).map((each) => (
          <li key={each}>{each}</li>
        ))}
        {words.length > SHOWN && <li>and {words.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
