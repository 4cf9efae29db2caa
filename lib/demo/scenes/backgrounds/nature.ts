import { darken, lighten } from '../palette';
import type { Background } from '.';
import { clouds, daylight, glow, grass, groundStrokes, peaks, ridge, tree, verticalFade } from './scenery';

const meadow: Background = {
  id: 'meadow',
  surface: 'ground',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.42, 0.55);
    const green = rng.pick(['#8fbb57', '#7fae52', '#a3bd5b']);
    const svg =
      verticalFade('sky', 0, horizon + height * 0.1, width, [
        [0, '#8fc3ea'],
        [1, '#e8f2f2'],
      ]) +
      clouds(canvas, 4, height * 0.06, horizon * 0.6, '#ffffff', 0.85) +
      ridge(canvas, horizon - height * 0.03, height * 0.035, 1.2, darken(lighten(green, 0.25), 0.12)) +
      ridge(canvas, horizon, height * 0.015, 0.8, green) +
      verticalFade('soil', horizon + height * 0.06, height, width, [
        [0, green, 0],
        [1, darken(green, 0.3)],
      ]) +
      grass(canvas, horizon + height * 0.04, green);
    return { svg, horizon, light: daylight(rng, 0.9), ground: green };
  },
};

const forest: Background = {
  id: 'forest',
  surface: 'ground',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.5, 0.6);
    const leaf = rng.pick(['#3e6b3f', '#4b7446', '#5f7a3c']);
    let trees = '';
    for (const [depth, count, size] of [
      [0.5, 11, 0.34],
      [0.25, 8, 0.44],
      [0, 5, 0.56],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const x = ((i + rng.between(0, 0.9)) / count) * width;
        trees += tree(
          rng,
          x,
          horizon + height * 0.03 * (1 - depth),
          height * size,
          lighten(leaf, depth * 0.6),
          rng.bernoulli(0.5),
        );
      }
    }
    const floor = '#6b6a3c';
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#b9d3bf'],
        [1, '#e6ecd2'],
      ]) +
      trees +
      ridge(canvas, horizon, height * 0.012, 1.5, floor) +
      verticalFade('soil', horizon + height * 0.05, height, width, [
        [0, floor, 0],
        [1, darken(floor, 0.4)],
      ]) +
      grass(canvas, horizon + height * 0.03, floor);
    return { svg, horizon, light: daylight(rng, 0.7), ground: floor };
  },
};

const mountains: Background = {
  id: 'mountains',
  surface: 'ground',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.5, 0.6);
    const stone = '#8f9787';
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#6fa6d8'],
        [1, '#d7e6ef'],
      ]) +
      peaks(canvas, horizon, height * 0.42, '#93a6bb') +
      peaks(canvas, horizon + height * 0.02, height * 0.26, '#77899c') +
      ridge(canvas, horizon, height * 0.02, 1, stone) +
      verticalFade('soil', horizon + height * 0.05, height, width, [
        [0, stone, 0],
        [1, '#5e6552'],
      ]) +
      groundStrokes(
        canvas,
        horizon + height * 0.03,
        90,
        (r, near) => [r.between(3, 9) * near, r.between(-2, 2)],
        '#4f5648',
        0.4,
      );
    return { svg, horizon, light: daylight(rng, 1), ground: stone };
  },
};

const desert: Background = {
  id: 'desert',
  surface: 'ground',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.45, 0.55);
    const sand = rng.pick(['#dfb878', '#d9a866', '#e5c48c']);
    const svg =
      verticalFade('sky', 0, horizon + height * 0.05, width, [
        [0, '#79b2d9'],
        [1, '#f6e6c4'],
      ]) +
      glow('sun', width * rng.between(0.1, 0.9), height * 0.14, height * 0.26, '#fff4cf', 0.9) +
      ridge(canvas, horizon, height * 0.05, 0.9, lighten(sand, 0.2)) +
      ridge(canvas, horizon + height * 0.05, height * 0.03, 1.3, sand) +
      verticalFade('soil', horizon + height * 0.12, height, width, [
        [0, sand, 0],
        [1, darken(sand, 0.2)],
      ]) +
      groundStrokes(
        canvas,
        horizon + height * 0.1,
        70,
        (r, near) => [r.between(8, 26) * near, r.between(-2, 2) * near],
        darken(sand, 0.3),
        0.35,
      );
    return { svg, horizon: horizon + height * 0.04, light: daylight(rng, 1), ground: sand };
  },
};

const snow: Background = {
  id: 'snow',
  surface: 'ground',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.45, 0.55);
    let trees = '';
    for (let i = 0; i < 8; i++) {
      trees += tree(
        rng,
        ((i + rng.next()) / 8) * width,
        horizon + height * 0.02,
        height * rng.between(0.2, 0.32),
        '#6f8c8a',
        true,
      );
    }
    let flakes = '';
    for (let i = 0; i < 45; i++) flakes += `M${rng.integer(0, width)} ${rng.integer(0, height)}l0.1 0`;
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#a9bfd3'],
        [1, '#e9eef2'],
      ]) +
      trees +
      ridge(canvas, horizon, height * 0.025, 1, '#eef3f7') +
      verticalFade('soil', horizon + height * 0.05, height, width, [
        [0, '#eef3f7', 0],
        [1, '#c3d2e0'],
      ]) +
      `<path d="${flakes}" stroke="#ffffff" stroke-width="${Math.max(1.5, width / 130)}" stroke-linecap="round" opacity="0.8"/>`;
    return { svg, horizon, light: daylight(rng, 0.75), ground: '#dfe8ef' };
  },
};

export const natureBackgrounds: readonly Background[] = [meadow, forest, mountains, desert, snow];
