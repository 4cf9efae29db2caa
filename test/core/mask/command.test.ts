import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MAIN = `
import { mask } from './bin/commands/mask.ts';
process.exitCode = await mask(process.argv.slice(1));
`;

async function run(args: string[], input: string): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', MAIN, '--', ...args],
    {
      cwd: new URL('../../..', import.meta.url),
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, lines: output.split('\n').slice(0, -1) };
}

function jsonLines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

describe('tessera mask', () => {
  it('rasterises polygons, line by line, and goes on after a bad one', async () => {
    const good = { size: [10, 10], polygons: [[0, 0, 9, 0, 0, 9]] };
    const short = { size: [10, 10], polygons: [[0, 0, 9, 0]] };
    const { code, lines } = await run(
      ['rasterize'],
      `${jsonLines(good, short)}not json\n\n${jsonLines(good)}`,
    );
    expect(code).toBe(1);
    const answer = { size: [10, 10], counts: '082O1O1O1O1O1O1Oe0', area: 36, bbox: [0, 0, 8, 8] };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      answer,
      expect.objectContaining({ code: 'too-few-points', where: 'polygons[0]' }),
      { error: expect.stringContaining('not valid JSON') },
      answer,
    ]);
  });

  it('compares, merges, measures and traces masks given as strings or runs', async () => {
    const a = { size: [3, 4], counts: '714' };
    const b = { size: [3, 4], counts: [6, 2, 4] };
    const iou = await run(['iou'], jsonLines({ a, b }, { a, b: { size: [4, 3], counts: '<' } }));
    expect(iou.code).toBe(1);
    expect(iou.lines.map((line) => JSON.parse(line))).toEqual([
      { iou: 0.5 },
      expect.objectContaining({ code: 'size-mismatch' }),
    ]);
    const merged = await run(
      ['merge'],
      jsonLines({ masks: [a, b] }, { masks: [a, { size: [3, 4], counts: 'O' }] }),
    );
    expect(merged.lines.map((line) => JSON.parse(line))).toEqual([
      { size: [3, 4], counts: '624', area: 2, bbox: [2, 0, 1, 2] },
      expect.objectContaining({ where: 'masks[1].counts[0]' }),
    ]);
    const area = await run(['area'], jsonLines(b));
    expect(area).toEqual({ code: 0, lines: ['{"area":2,"bbox":[2,0,1,2]}'] });
    const contours = await run(['contours'], jsonLines(b));
    expect(JSON.parse(contours.lines[0] as string)).toEqual({
      regions: [{ outer: [2, 0, 3, 0, 3, 2, 2, 2], holes: [], parent: null }],
    });
  });

  it('keeps the order of many lines', async () => {
    const count = 5_000;
    const input = jsonLines(
      ...Array.from({ length: count }, (_, i) => ({ size: [1, count], counts: [i, 1, count - i - 1] })),
    );
    const { code, lines } = await run(['area'], input);
    expect(code).toBe(0);
    expect(lines.map((line) => JSON.parse(line).bbox[0])).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('explains itself when used wrongly', async () => {
    expect((await run(['explode'], '')).code).toBe(2);
    expect((await run([], '')).code).toBe(2);
    const help = await run(['--help'], '');
    expect(help.code).toBe(0);
    expect(help.lines[0]).toBe('Usage: tessera mask <op>');
  });
});
