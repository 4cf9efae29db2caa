import type { CDPSession, Page } from '@playwright/test';
import type { Point } from './annotator';

/** Fingers and a pen, by the browser's own protocol: Playwright itself only taps. */
export class Hand {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async on(page: Page): Promise<Hand> {
    return new Hand(await page.context().newCDPSession(page));
  }

  /** Fingers from frame to frame; the same place in each frame is the same finger. */
  async touch(frames: readonly (readonly Point[])[]): Promise<void> {
    for (const [i, fingers] of frames.entries())
      await this.fingers(i === 0 ? 'touchStart' : 'touchMove', fingers);
    await this.fingers('touchEnd', []);
  }

  /** The protocol wants all fingers that are down, and none when they are lifted. */
  async fingers(type: 'touchStart' | 'touchMove' | 'touchEnd', places: readonly Point[]): Promise<void> {
    await this.#session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map(([x, y], id) => ({ x, y, id })),
    });
  }

  async pen(type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', [x, y]: Point): Promise<void> {
    const isDown = type !== 'mouseReleased';
    await this.#session.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      pointerType: 'pen',
      button: 'left',
      buttons: isDown ? 1 : 0,
      clickCount: type === 'mouseMoved' ? 0 : 1,
    });
  }
}
