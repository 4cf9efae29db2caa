import { darken, lighten } from '../palette';
import { line, num } from '../svg';
import type { Background } from '.';
import { clouds, daylight, glow, polygon, ridge, ripples, tree, verticalFade } from './scenery';

const sea: Background = {
  id: 'sea',
  surface: 'water',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.4, 0.52);
    const water = rng.pick(['#2f7fa6', '#2a6c96', '#3b8fa8']);
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#86bfe6'],
        [1, '#f3ead8'],
      ]) +
      clouds(canvas, 3, height * 0.05, horizon * 0.7, '#ffffff', 0.8) +
      verticalFade('soil', horizon, height, width, [
        [0, lighten(water, 0.35)],
        [0.3, water],
        [1, darken(water, 0.4)],
      ]) +
      ripples(canvas, horizon + height * 0.02, water);
    return { svg, horizon, light: daylight(rng, 0.9), ground: water };
  },
};

const pond: Background = {
  id: 'pond',
  surface: 'water',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const horizon = height * rng.between(0.36, 0.46);
    const water = rng.pick(['#5d8b7c', '#4c7f82', '#6a9078']);
    let trees = '';
    for (let i = 0; i < 7; i++) {
      trees += tree(
        rng,
        ((i + rng.next()) / 7) * width,
        horizon,
        height * rng.between(0.22, 0.36),
        '#6d9150',
        false,
      );
    }
    const svg =
      verticalFade('sky', 0, horizon, width, [
        [0, '#b5d6e2'],
        [1, '#eef1dc'],
      ]) +
      trees +
      ridge(canvas, horizon, height * 0.01, 1.4, '#7d9a52') +
      verticalFade('soil', horizon + height * 0.03, height, width, [
        [0, lighten(water, 0.3)],
        [0.4, water],
        [1, darken(water, 0.35)],
      ]) +
      ripples(canvas, horizon + height * 0.06, water);
    return { svg, horizon: horizon + height * 0.03, light: daylight(rng, 0.8), ground: water };
  },
};

const sky: Background = {
  id: 'sky',
  surface: 'air',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const [top, low] = rng.pick([
      ['#3f8fd6', '#cfe7f7'],
      ['#5b7fc0', '#f6cfae'],
      ['#7fb4dd', '#eef5f8'],
    ] as const);
    const svg =
      verticalFade('sky', 0, height, width, [
        [0, top],
        [1, low],
      ]) +
      glow('sun', width * rng.between(0.1, 0.9), height * 0.15, height * 0.3, '#fff6da', 0.8) +
      clouds(canvas, 5, height * 0.1, height * 0.7, '#ffffff', 0.75) +
      clouds(canvas, 12, height * 0.86, height * 1.02, '#ffffff', 0.9);
    return { svg, horizon: height * 0.72, light: daylight(rng, 0.85), ground: '#eef3f8' };
  },
};

const underwater: Background = {
  id: 'underwater',
  surface: 'deep',
  paint(canvas) {
    const { rng, width, height } = canvas;
    const floor = height * rng.between(0.78, 0.86);
    const water = rng.pick(['#2f8fae', '#2a7aa0', '#3a9a9c']);
    let shafts = '';
    for (let i = 0; i < 5; i++) {
      const x = width * rng.between(-0.1, 1);
      const lean = width * rng.between(0.08, 0.2);
      shafts += polygon(
        [
          [x, 0],
          [x + width * 0.07, 0],
          [x + lean + width * 0.16, height],
          [x + lean, height],
        ],
        '#ffffff',
        0.09,
      );
    }
    let weeds = '';
    for (let i = 0; i < 14; i++) {
      const [x, tall] = [rng.between(0, width), height * rng.between(0.06, 0.2)];
      weeds += `M${num(x)} ${num(floor + height * 0.03)}q${num(tall * 0.3)} ${num(-tall * 0.5)} 0 ${num(-tall)}`;
    }
    const svg =
      verticalFade('sky', 0, height, width, [
        [0, lighten(water, 0.5)],
        [0.4, water],
        [1, darken(water, 0.5)],
      ]) +
      shafts +
      line(weeds, '#3f7f5c', Math.max(1.5, width / 110), 0.8) +
      ridge(canvas, floor, height * 0.015, 1.6, '#c7b283') +
      verticalFade('soil', floor + height * 0.03, height, width, [
        [0, '#c7b283', 0],
        [1, '#8f8160'],
      ]);
    return {
      svg,
      horizon: floor,
      light: daylight(rng, 0.7),
      ground: '#c7b283',
      tint: { colour: water, opacity: 0.12 },
    };
  },
};

export const waterBackgrounds: readonly Background[] = [sea, pond, sky, underwater];
