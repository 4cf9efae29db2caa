import { togglesArea, togglesBox } from '../measure';
import type { Toggles } from './kernel';
import { overlap } from './plain-combine';

export function iouMatrix(
  answers: readonly Toggles[],
  truths: readonly Toggles[],
  height: number,
  crowd: readonly boolean[],
): Float64Array {
  const matrix = new Float64Array(answers.length * truths.length);
  const measured = (toggles: Toggles) => ({
    toggles,
    area: togglesArea(toggles),
    box: togglesBox(toggles, height),
  });
  const right = truths.map(measured);
  answers.map(measured).forEach((a, i) => {
    right.forEach((b, j) => {
      if (apart(a.box, b.box)) return;
      const both = overlap(a.toggles, b.toggles);
      if (both > 0) matrix[i * right.length + j] = both / (crowd[j] ? a.area : a.area + b.area - both);
    });
  });
  return matrix;
}

type FourNumbers = readonly [number, number, number, number];

function apart([ax, ay, aw, ah]: FourNumbers, [bx, by, bw, bh]: FourNumbers): boolean {
  return bx >= ax + aw || ax >= bx + bw || by >= ay + ah || ay >= by + bh;
}
