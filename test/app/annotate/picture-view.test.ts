import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cameraOf,
  type Frame,
  type PictureView,
  panPicture,
  pinchPicture,
  toggleCloseLook,
  zoomPicture,
} from '@/app/annotate/_attributes/picture-view';
import { toImage, toScreen } from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';

const frame: Frame = { image: { width: 400, height: 200 }, viewport: { width: 832, height: 632 } };

describe('the picture beside the form', () => {
  it('is whole at first, and again when the pane changes its size', () => {
    expect(cameraOf(null, frame)).toMatchObject({ zoom: 2, panX: 16 });
    expect(cameraOf(null, { ...frame, viewport: { width: 432, height: 632 } }).zoom).toBe(1);
  });

  it('keeps what is under the cursor where it is while it grows', () => {
    const at: Point = [300, 316];
    const before = toImage(cameraOf(null, frame), at);
    const view = zoomPicture(null, frame, at, 4);
    const after = toScreen(cameraOf(view, frame), before);
    expect(after[0]).toBeCloseTo(at[0]);
    expect(after[1]).toBeCloseTo(at[1]);
  });

  it('is whole again when it is zoomed out as far as it was zoomed in', () => {
    const near = zoomPicture(null, frame, [400, 300], 3);
    expect(near).not.toBeNull();
    expect(zoomPicture(near, frame, [10, 10], 1 / 3)).toBeNull();
    expect(zoomPicture(null, frame, [10, 10], 0.5)).toBeNull();
  });

  it('comes close by a double click and goes back by another', () => {
    const near = toggleCloseLook(null, frame, [400, 300]);
    expect(cameraOf(near, frame).zoom).toBe(5);
    expect(toggleCloseLook(near, frame, [10, 10])).toBeNull();
  });

  it('does not move while it is whole', () => {
    expect(panPicture(null, frame, 50, 50)).toBeNull();
  });

  it('follows two fingers: it grows with their distance and goes where they go', () => {
    const view = pinchPicture(
      null,
      frame,
      [
        [350, 300],
        [450, 300],
      ],
      [
        [300, 310],
        [500, 310],
      ],
    );
    const camera = cameraOf(view, frame);
    expect(camera.zoom).toBeCloseTo(4);
    const held = toImage(cameraOf(null, frame), [400, 300]);
    expect(toScreen(camera, held)[0]).toBeCloseTo(400);
  });

  it('can never be lost: whatever is done, it covers the pane or stands whole in its middle', () => {
    const number = fc.double({ min: -2000, max: 2000, noNaN: true });
    const factor = fc.double({ min: 0.01, max: 100, noNaN: true });
    const act = fc.oneof(
      fc.tuple(number, number).map(
        ([dx, dy]) =>
          (view: PictureView) =>
            panPicture(view, frame, dx, dy),
      ),
      fc.tuple(number, number, factor).map(
        ([x, y, by]) =>
          (view: PictureView) =>
            zoomPicture(view, frame, [x, y], by),
      ),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const view = acts.reduce((before, step) => step(before), null as PictureView);
        const { zoom, panX, panY } = cameraOf(view, frame);
        for (const [pan, picture, pane] of [
          [panX, frame.image.width * zoom, frame.viewport.width],
          [panY, frame.image.height * zoom, frame.viewport.height],
        ] as const) {
          if (picture <= pane) expect(pan).toBeCloseTo((pane - picture) / 2);
          else {
            expect(pan).toBeLessThanOrEqual(1e-6);
            expect(pan + picture).toBeGreaterThanOrEqual(pane - 1e-6);
          }
        }
        expect(zoom).toBeLessThanOrEqual(16);
      }),
    );
  });
});
