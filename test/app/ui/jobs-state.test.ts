import { expect, it } from 'vitest';
import { type TrayJob, withNews } from '@/app/_shell/jobs-state';

const job = (id: string, state: string, done = 0): TrayJob => ({
  id,
  kind: 'ingest',
  title: `Job ${id}`,
  state,
  done,
  total: 10,
  text: '',
  startedAt: null,
  finishedAt: null,
  cancelRequested: false,
  error: null,
  projectName: null,
});

it('the tray takes up active jobs and follows them to their end', () => {
  const running = withNews([], [job('2', 'running'), job('1', 'queued')]);
  expect(running.map((each) => each.id)).toEqual(['1', '2']);
  const after = withNews(running, [job('2', 'done', 10)]);
  expect(after.map((each) => each.state)).toEqual(['queued', 'done']);
});

it('the tray does not report jobs that were over before it looked', () => {
  expect(withNews([], [job('1', 'done'), job('2', 'failed')])).toEqual([]);
});
