import { darken, lighten } from '../palette';
import { element, rect } from '../svg';
import type { Background, Canvas } from '.';
import {
  clouds,
  daylight,
  glow,
  grass,
  groundStrokes,
  houses,
  polygon,
  ridge,
  tree,
  verticalFade,
} from './scenery';

function asphalt(canvas: Canvas, top: number, colour: string): string {
  const { width, height } = canvas;
  const dash = (y: number, t: number) =>
    element('path', {
      d: `M0 ${y.toFixed(1)}L${width} ${y.toFixed(1)}`,
      stroke: '#e9e4d4',
      'stroke-width': height * 0.012 * t,
      'stroke-dasharray': `${(width * 0.11 * t).toFixed(1)} ${(width * 0.08 * t).toFixed(1)}`,
      opacity: 0.75,
    });
  return (
    verticalFade('soil', top, height, width, [
      [0, lighten(colour, 0.12)],
      [1, darken(colour, 0.25)],
    ]) +
    groundStrokes(canvas, top, 110, (r, near) => [r.between(1, 4) * near, 0], darken(colour, 0.35), 0.4) +
    dash(top + (height - top) * 0.62, 1)
  );
}

const road: Background = {
  id: 'road',
  surface: 'street',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.45, 0.55);
    let trees = '';
    for (let i = 0; i < 6; i++) {
      trees += tree(
        rng,
        ((i + rng.next()) / 6) * width,
        horizon + height * 0.01,
        height * rng.between(0.16, 0.28),
        '#6d8f4e',
        rng.bernoulli(0.4),
      );
    }
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#93c2e4'],
        [1, '#eff1e4'],
      ]) +
      clouds(canvas, 3, height * 0.05, horizon * 0.6, '#ffffff', 0.8) +
      ridge(canvas, horizon - height * 0.03, height * 0.03, 1.1, '#9db27f') +
      trees +
      ridge(canvas, horizon, height * 0.006, 1, '#8ba75d') +
      grass(canvas, horizon + height * 0.01, '#8ba75d') +
      asphalt(canvas, horizon + height * 0.08, '#77777a');
    return { svg, horizon: horizon + height * 0.08, light: daylight(rng, 0.95), ground: '#77777a' };
  },
};

const street: Background = {
  id: 'street',
  surface: 'street',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.5, 0.56);
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#a9c6dc'],
        [1, '#f0eee6'],
      ]) +
      houses(
        canvas,
        horizon,
        height * 0.4,
        ['#c98f6b', '#d8c09a', '#b7a78f', '#a86f5a', '#cfc4b4', '#9aa5ab'],
        false,
      ) +
      rect(0, horizon - 1, width, height * 0.06, '#b9b4aa') +
      rect(0, horizon + height * 0.05, width, height * 0.012, '#8d8880') +
      asphalt(canvas, horizon + height * 0.06, '#6f7074');
    return { svg, horizon: horizon + height * 0.05, light: daylight(rng, 0.85), ground: '#6f7074' };
  },
};

const nightStreet: Background = {
  id: 'night-street',
  surface: 'street',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.5, 0.56);
    let lamps = '';
    for (const at of [0.16, 0.52, 0.87]) {
      const x = width * (at + rng.between(-0.05, 0.05));
      lamps +=
        rect(x, horizon - height * 0.3, width * 0.008, height * 0.3, '#20242f') +
        glow(`lamp${Math.round(at * 100)}`, x, horizon - height * 0.3, height * 0.17, '#ffd98a', 0.85);
    }
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#131a33'],
        [1, '#3a4468'],
      ]) +
      houses(canvas, horizon, height * 0.42, ['#2c3146', '#353a50', '#282c3f', '#3d3a4c'], true) +
      rect(0, horizon - 1, width, height * 0.06, '#4b4c58') +
      asphalt(canvas, horizon + height * 0.06, '#3c3f4a') +
      lamps;
    return {
      svg,
      horizon: horizon + height * 0.05,
      light: daylight(rng, 1),
      ground: '#3c3f4a',
      tint: { colour: '#1a2350', opacity: 0.2 },
    };
  },
};

const indoor: Background = {
  id: 'indoor',
  surface: 'floor',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.55, 0.64);
    const wall = rng.pick(['#d9cdb8', '#b9c7c4', '#d3b9a6', '#c5bfd0']);
    const x = width * rng.between(0.12, 0.6);
    const pane = { w: width * 0.26, h: height * 0.3, y: height * 0.1 };
    const board = '#a9794f';
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, lighten(wall, 0.15)],
        [1, darken(wall, 0.12)],
      ]) +
      rect(
        x - width * 0.015,
        pane.y - width * 0.015,
        pane.w + width * 0.03,
        pane.h + width * 0.03,
        '#f4efe4',
      ) +
      rect(x, pane.y, pane.w, pane.h, '#a8d0e6') +
      rect(x, pane.y + pane.h * 0.62, pane.w, pane.h * 0.38, '#8fb56e') +
      rect(x + pane.w / 2 - 1.5, pane.y, 3, pane.h, '#f4efe4') +
      rect(0, horizon - height * 0.03, width, height * 0.03, lighten(wall, 0.5)) +
      verticalFade('soil', horizon, height, width, [
        [0, board],
        [1, darken(board, 0.3)],
      ]) +
      groundStrokes(
        canvas,
        horizon + 2,
        26,
        (r, near) => [r.between(30, 90) * near, 0],
        darken(board, 0.4),
        0.5,
      ) +
      polygon(
        [
          [x, horizon + height * 0.06],
          [x + pane.w, horizon + height * 0.06],
          [x + pane.w * 1.5, height * 0.92],
          [x + pane.w * 0.3, height * 0.92],
        ],
        '#fff1cf',
        0.16,
      );
    return { svg, horizon, light: daylight(rng, 0.8), ground: board };
  },
};

const airfield: Background = {
  id: 'airfield',
  surface: 'street',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.5, 0.58);
    const tower = width * rng.between(0.08, 0.85);
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#9cc6e6'],
        [1, '#f4efe2'],
      ]) +
      clouds(canvas, 3, height * 0.05, horizon * 0.6, '#ffffff', 0.8) +
      rect(tower, horizon - height * 0.2, width * 0.03, height * 0.2, '#b8bec4') +
      rect(tower - width * 0.02, horizon - height * 0.25, width * 0.07, height * 0.06, '#6f8797') +
      rect(width * 0.3, horizon - height * 0.06, width * 0.34, height * 0.07, '#c9ccd0') +
      ridge(canvas, horizon, height * 0.004, 1, '#9fb27a') +
      asphalt(canvas, horizon + height * 0.07, '#8d9094');
    return { svg, horizon: horizon + height * 0.07, light: daylight(rng, 0.95), ground: '#8d9094' };
  },
};

export const townBackgrounds: readonly Background[] = [road, street, nightStreet, indoor, airfield];
