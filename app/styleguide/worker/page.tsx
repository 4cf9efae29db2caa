import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { WorkerShell } from '@/app/_shell/worker-shell';
import { Button, ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { sampleActor } from '../samples';

export const metadata: Metadata = { title: "Worker's frame" };

export default function WorkerFramePage() {
  if (process.env.NODE_ENV !== 'development') notFound();
  return (
    <WorkerShell actor={sampleActor}>
      <h1 className="text-2xl font-semibold tracking-tight">12 of 20 images are left in your batch</h1>
      <Panel>
        <div className="flex flex-col gap-4">
          <div>
            <h2 className="font-semibold">Wings, RIVAL10</h2>
            <p className="text-ink-2">Mark every pixel of the wings. About 25 s per image, 0.12 € each.</p>
          </div>
          <ProgressBar label="Batch" done={8} total={20} />
          <div className="flex flex-wrap gap-3">
            <ButtonLink href="/styleguide" variant="primary" size="large">
              Continue
            </ButtonLink>
            <Button size="large">Read the guide</Button>
          </div>
        </div>
      </Panel>
      <StatStrip>
        <Stat label="Earned this week" value="18.40 €" />
        <Stat label="Hidden checks passed" value="94 %" n={36} />
        <Stat label="Bar to stay" value="75 %" />
      </StatStrip>
    </WorkerShell>
  );
}
