import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { strongestTint } from '@/app/_ui/charts/heat-map';

type Rgb = [number, number, number];

function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const mix = (over: Rgb, under: Rgb, opacity: number): Rgb =>
  over.map((channel, index) => channel * opacity + (under[index] ?? 0) * (1 - opacity)) as Rgb;

/** Relative luminance, WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: Rgb, second: Rgb): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light: parseHex(light), dark: parseHex(dark) }],
  ),
);

const colour = (name: string, theme: 'light' | 'dark'): Rgb => {
  const found = tokens.get(name);
  if (!found) throw new Error(`app/globals.css has no colour ${name}`);
  return found[theme];
};

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover'];
const pairs = (inks: string[], on: string[]) =>
  inks.flatMap((ink) => on.map((ground) => [ink, ground] as const));

const text = [
  ...pairs(['ink', 'ink-2', 'ink-3'], grounds),
  ...pairs(['accent', 'good', 'warn', 'bad'], ['canvas', 'surface', 'raised', 'hover']),
  ['accent', 'accent-soft'],
  ['good', 'good-soft'],
  ['warn', 'warn-soft'],
  ['bad', 'bad-soft'],
  ['ink', 'accent-soft'],
  ['ink-2', 'stage'],
  ...pairs(['on-fill'], ['accent-fill', 'accent-fill-hover', 'bad-fill', 'bad-fill-hover']),
] as const;

const marks = [
  ...pairs(['line-strong', 'accent'], ['canvas', 'surface', 'raised']),
  ...pairs(['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'], ['surface', 'raised']),
  ['accent-fill', 'raised'],
] as const;

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each(text)('%s can be read on %s (4.5 : 1)', (ink, ground) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)('%s can be told from %s (3 : 1)', (mark, ground) => {
    expect(contrast(colour(mark, theme), colour(ground, theme))).toBeGreaterThanOrEqual(3);
  });

  it.each(['series-1', 'series-2'])(
    'numbers can be read on the strongest tint of a heat map (%s)',
    (tint) => {
      const cell = mix(colour(tint, theme), colour('surface', theme), strongestTint);
      expect(contrast(colour('ink', theme), cell)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('no surface is as bright as white, so that a picture stays the brightest thing', () => {
    const white: Rgb = [255, 255, 255];
    for (const ground of grounds) expect(contrast(colour(ground, theme), white)).toBeGreaterThan(1.01);
  });
});

it('every colour has a light and a dark value', () => {
  const names = [...css.matchAll(/--color-([a-z][\w-]*):/g)].map(([, name]) => name);
  const single = names.filter(
    (name) => !tokens.has(name ?? '') && !['transparent', 'current', 'scrim'].includes(name ?? ''),
  );
  expect(single).toEqual([]);
});
