import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BarChart, DensityMap, HeatMap, Histogram, LineChart, Scatter } from '@/app/_ui/charts';
import { binValues, domainOf, labelSpace, linearAxis, seriesStyle, shorten } from '@/lib/core/charts';

/** The exact values behind a chart, as the CSV gets them. */
function valuesOf(chart: ReactElement): string[] {
  return [...renderToStaticMarkup(chart).matchAll(/data-value="([^"]*)"/g)].map(([, value = '']) => value);
}

const drawn = (chart: ReactElement) =>
  /<svg role="(?:img|group)".*?<\/svg>/s.exec(renderToStaticMarkup(chart))?.[0] ?? '';

describe('a chart carries a table with its numbers', () => {
  it('bars, with the ends of their intervals and a gap where there is no value', () => {
    const chart = (
      <BarChart
        title="Accuracy"
        categories={['wings', 'tail']}
        series={[{ name: 'Original', values: [0.731, null], intervals: [[0.7, 0.76], null] }]}
        domain={[0, 1]}
      />
    );
    expect(valuesOf(chart)).toEqual(['0.731', '0.7', '0.76', '', '', '']);
    expect(drawn(chart).match(/<rect/g)).toHaveLength(1);
    expect(drawn(chart)).toContain('0.731');
  });

  it('histogram', () => {
    const chart = (
      <Histogram
        title="Scores"
        axisTitle="IoU"
        bins={[
          { from: 0, to: 0.5, count: 3 },
          { from: 0.5, to: 1, count: 12 },
        ]}
      />
    );
    expect(valuesOf(chart)).toEqual(['0', '0.5', '3', '0.5', '1', '12']);
  });

  it('scatter', () => {
    const chart = (
      <Scatter
        title="Points"
        x={{ title: 'x' }}
        y={{ title: 'y' }}
        series={[
          {
            name: 'A',
            points: [
              { x: 1.25, y: 2 },
              { x: 3, y: 4, href: '/w' },
            ],
          },
        ]}
      />
    );
    expect(valuesOf(chart)).toEqual(['1.25', '2', '3', '4']);
    expect(drawn(chart)).toContain('<a href="/w"');
  });

  it('lines, with their band', () => {
    const points = [
      { x: 0, y: 0.5, low: 0.4, high: 0.6 },
      { x: 1, y: null },
    ];
    const chart = (
      <LineChart
        title="Curve"
        x={{ title: 'Epoch' }}
        y={{ title: 'Accuracy' }}
        series={[{ name: 'A', points }]}
      />
    );
    expect(valuesOf(chart)).toEqual(['0', '0.5', '0.4', '0.6', '1', '', '', '']);
  });

  it('heat map, where every cell also states its number', () => {
    const chart = (
      <HeatMap
        title="Confusion"
        rows={['a', 'b']}
        columns={['a', 'b']}
        rowTitle="True"
        columnTitle="Said"
        values={[
          [0.9, 0.1],
          [null, 1],
        ]}
      />
    );
    expect(valuesOf(chart)).toEqual(['0.9', '0.1', '', '1']);
    for (const text of ['>0.9<', '>0.1<', '>1<', '>–<']) expect(drawn(chart)).toContain(text);
  });

  it('says so when there is nothing to draw', () => {
    expect(renderToStaticMarkup(<Histogram title="Scores" axisTitle="IoU" bins={[]} />)).toContain(
      'nothing to draw',
    );
  });
});

describe('meaning does not rest on colour', () => {
  it('each series has a hatch, a dash and a symbol of its own', () => {
    const styles = [0, 1, 2, 3, 4, 5].map(seriesStyle);
    for (const part of ['hatch', 'dash', 'symbol', 'colour'] as const) {
      expect(new Set(styles.map((style) => style[part])).size).toBe(styles.length);
    }
  });

  it('a seventh series is refused', () => {
    expect(() => seriesStyle(6)).toThrow(/at most 6/);
  });
});

describe('scales', () => {
  it('give an axis some width for one value, none, and equal values', () => {
    expect(domainOf([])).toEqual([0, 1]);
    expect(domainOf([3])).toEqual([2.5, 3.5]);
    expect(domainOf([0, 0], true)).toEqual([0, 1]);
    expect(domainOf([null, 2, Number.NaN, 5], true)).toEqual([0, 5]);
  });

  it('put ticks on round values inside the axis', () => {
    const axis = linearAxis([0, 0.93], [0, 100]);
    expect(axis.ticks.map((tick) => tick.label)).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1']);
    expect(axis.at(1)).toBe(100);
  });

  it('bins lose no value, also not at the ends', () => {
    const values = [0, 0.1, 0.1, 0.5, 0.999, 1];
    const bins = binValues(values, { count: 10, domain: [0, 1] });
    expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
    expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([0, 1]);
  });
});

describe('a map of where things lie', () => {
  it('draws its cells by tint and tells means of four', () => {
    const cells = [1, 0.5, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25];
    const chart = <DensityMap title="Head" grid={4} cells={cells} />;
    expect(valuesOf(chart)).toEqual(['1', '0.5', '0', '2', '0', '0.0625']);
    expect(drawn(chart).match(/<path d="M[^"]+"/g)).toHaveLength(3);
    expect(drawn(chart)).toContain('darkest: 100');
  });

  it('says so where nothing lies anywhere', () => {
    const chart = <DensityMap title="Head" grid={4} cells={new Array(16).fill(0)} />;
    expect(renderToStaticMarkup(chart)).toContain('nothing to draw');
  });
});

it('a heat map of correlations has a colour for each sign and none for zero', () => {
  const chart = (
    <HeatMap
      title="Correlation"
      rows={['a']}
      columns={['b', 'c', 'd']}
      rowTitle="Attribute"
      columnTitle="attribute"
      values={[[-1, 0, 1]]}
      domain={[-1, 1]}
      diverging
    />
  );
  const fills = [...drawn(chart).matchAll(/fill="var\(--color-(series-\d)\)" fill-opacity="([\d.]+)"/g)];
  expect(fills.map(([, name, tint]) => [name, Number(tint)])).toEqual([
    ['series-2', 0.55],
    ['series-1', 0],
    ['series-1', 0.55],
  ]);
});

it('a name that has exactly the room it needs is not cut off', () => {
  for (const name of ['Quadruped', 'Aeroplane', 'Car', 'Floppy ears'])
    expect(shorten(name, labelSpace([name], 180) - 8)).toBe(name);
});
