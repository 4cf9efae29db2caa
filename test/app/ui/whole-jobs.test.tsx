import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { TrayJob } from '@/app/_shell/jobs-state';
import { TrayJobRow } from '@/app/_shell/tray-job-row';
import { wholeOrNothing } from '@/lib/services/jobs/whole-or-nothing';

const row = (kind: string) => {
  const job: TrayJob = {
    id: '1',
    kind,
    title: 'Apply schema version 2',
    state: 'running',
    done: 3,
    total: null,
    text: '',
    startedAt: null,
    finishedAt: null,
    cancelRequested: false,
    error: null,
    projectName: 'Birds',
  };
  const nothing = async () => {};
  return renderToStaticMarkup(
    <TrayJobRow job={job} now={new Date()} onCancel={nothing} onDismiss={nothing} />,
  );
};

it('a change of the schema shows no Cancel button, for it cannot be stopped half-way', () => {
  expect(wholeOrNothing('change-schema')).toContain('cannot be stopped');
  expect(row('change-schema')).not.toContain('Cancel');
  expect(row('ingest')).toContain('Cancel');
});
