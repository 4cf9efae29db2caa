import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batchScript,
  quoted,
  readNodes,
  readNumberOf,
  readQueueLine,
  type SlurmJob,
  sbatchOptions,
  statusOf,
} from '@/lib/services/training/launch/slurm-script';

const job: SlurmJob = {
  runId: '019a-run',
  folder: '/shared/runs/019a-run',
  python: '/usr/bin/python3',
  trainer: '/shared/tessera/workers/trainer',
  attempt: 3,
  resources: { device: 'cpu', gpus: 0, nodes: 1, threads: null, memoryGb: null, wallMinutes: null },
  nodes: { processors: 16, memoryGb: 64, gpus: 0 },
  partition: 'train',
  options: [],
};
const asking = (resources: Partial<SlurmJob['resources']>, nodes: Partial<SlurmJob['nodes']> = {}) => ({
  ...job,
  resources: { ...job.resources, ...resources },
  nodes: { ...job.nodes, ...nodes },
});

describe('what sbatch is asked for', () => {
  it.each([
    [asking({}), ['--nodes=1', '--ntasks-per-node=1', '--cpus-per-task=16'], /gres|--mem|--time/],
    [asking({ threads: 4, memoryGb: 7.5 }), ['--cpus-per-task=4', '--mem=7680M'], /gres/],
    [
      asking({ device: 'cuda', gpus: 4 }, { gpus: 8 }),
      ['--gres=gpu:4', '--ntasks-per-node=4', '--cpus-per-task=2'],
      /--time/,
    ],
    // Where there are no GPUs, `auto` means as many processes on processors.
    [asking({ device: 'auto', gpus: 2 }), ['--ntasks-per-node=2', '--cpus-per-task=8'], /gres/],
    [asking({ device: 'cuda', gpus: 2, nodes: 3 }, { gpus: 2 }), ['--nodes=3', '--gres=gpu:2'], /--time/],
    // Five minutes more than the run has: Tessera stops it first.
    [asking({ wallMinutes: 29.5 }), ['--time=35'], /gres/],
  ])('%# follows from the resources', (asked, has, hasNot) => {
    const options = sbatchOptions(asked);
    expect(options).toEqual(expect.arrayContaining(has));
    expect(options.join(' ')).not.toMatch(hasNot);
  });

  it('leaves the choice of a partition to Slurm, and adds what the site wants', () => {
    expect(sbatchOptions({ ...job, partition: 'default' }).join(' ')).not.toContain('--partition');
    expect(sbatchOptions({ ...job, options: ['--qos=low'] }).at(-1)).toBe('--qos=low');
  });
});

describe('the script', () => {
  const run = (asked: SlurmJob) => batchScript(asked).split('\n');

  it('begins anew after 75 only, unless somebody cancelled or the time is over', () => {
    const again = (asked: SlurmJob) => run(asked).find((line) => line.includes('requeue'));
    expect(again(job)).toBe(
      `if [ "$code" -eq 75 ] && [ ! -e '/shared/runs/019a-run/cancel' ]; then scontrol requeue "$SLURM_JOB_ID"; fi`,
    );
    expect(again(asking({ wallMinutes: 30 }))).toContain('[ "$SECONDS" -lt 1980 ]');
  });

  it('tells ranks of several nodes where the first is', () => {
    expect(batchScript(job)).not.toContain('MASTER_ADDR');
    expect(batchScript(asking({ nodes: 2 }))).toContain('scontrol show hostnames "$SLURM_JOB_NODELIST"');
  });

  it('hands every name to the shell as it is', () => {
    const pieces = fc.constantFrom(
      "'",
      '"',
      '\\',
      '$',
      '`',
      '(',
      ')',
      ';',
      '&',
      '!',
      '*',
      '~',
      '\n',
      '\t',
      ' ',
      'é',
      'a',
    );
    const names = fc.sample(fc.array(pieces, { maxLength: 12 }), 300).map((each) => each.join(''));
    const words = [...names, `it's`, '$(touch x)', '`x`', 'a\nb', "'; rm -rf /; '"];
    const script = `printf '%s\\0' ${words.map(quoted).join(' ')}`;
    const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(said.split('\0').slice(0, -1)).toEqual(words);
  });
});

describe('what Slurm answers', () => {
  it.each([
    ['tessera-1|RUNNING|None\n', 'running'],
    ['tessera-1|COMPLETING|None\n', 'running'],
    ['tessera-1|PENDING|BeginTime\n', 'queued'],
    ['tessera-1|CANCELLED|None\n', 'gone'],
    ['tessera-1|OUT_OF_MEMORY|None\n', 'gone'],
    ['\n', 'gone'],
  ])('%j is %s', (text, state) => {
    expect(statusOf(readQueueLine(text)).state).toBe(state);
  });

  it('says why a run waits', () => {
    const status = statusOf(readQueueLine('tessera-1|PENDING|Resources'));
    expect(status).toEqual({ state: 'queued', text: 'Waits in the queue of Slurm: no node is free' });
    expect(statusOf(readQueueLine('x|PENDING|QOSMaxJobs'))).toMatchObject({
      text: expect.stringContaining('QOSMaxJobs'),
    });
  });

  it('reads what nodes have', () => {
    expect(readNodes('2|8000|(null)\n')).toEqual({ processors: 2, memoryGb: 7, gpus: 0 });
    expect(readNodes('64+|257000+|gpu:a100:4(S:0-1),lustre:1\n16|64000|gpu:2\n')).toEqual({
      processors: 16,
      memoryGb: 62,
      gpus: 4,
    });
    expect(readNodes('')).toBeNull();
  });
});

it('a job that Slurm took although its answer was late is found by its name, and not submitted twice', () => {
  const queue = 'tessera-1|COMPLETED|None|7\ntessera-12|RUNNING|None|8\ntessera-1|PENDING|Priority|9\n';
  expect(readNumberOf(queue, 'tessera-1')).toBe('9');
  expect(readNumberOf(queue, 'tessera-2')).toBeNull();
  expect(readNumberOf('', 'tessera-1')).toBeNull();
});
