import type { Locator, Page } from '@playwright/test';
import { fromHere } from './people';
import { letWork } from './standing';
import { expect, listens } from './story';

const project = { slug: 'rival10-demo', name: 'RIVAL10 demo' };

export type Point = readonly [x: number, y: number];

type View = {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly panX: number;
  readonly panY: number;
};

/** The annotator as a person works it: by what is on the screen, in pixels of the image. */
export class Annotator {
  readonly page: Page;
  readonly canvas: Locator;
  readonly nothing: Locator;
  /** Of the open item, from 1. */
  number = 1;
  readonly #text: (english: string) => string;

  /** The stories name everything in English. `text` gives the name in the language of the page. */
  constructor(page: Page, text = (english: string) => english) {
    this.page = page;
    this.#text = text;
    this.canvas = page.getByRole('application', { name: text('Annotation canvas') });
    this.nothing = page.getByRole('button', { name: text('Nothing to label'), exact: true });
  }

  /**
   * Opens an item of the worker's batch in a stage of the demo, with nothing drawn on it. `place` counts the items
   * that are not answered yet, round and round, so that tests mostly have one of their own and can run again.
   */
  async open(stage: string, place: number): Promise<void> {
    const batch = await this.take(stage);
    const { items } = await this.batch(batch);
    const open = items.flatMap(({ state }, i) => (state === 'open' ? [i + 1] : []));
    this.number = open[(place - 1 + open.length) % open.length] ?? 1;
    await this.page.goto(`/annotate/batch/${batch}?item=${this.number}`);
    await this.isReady();
    await this.page.keyboard.press('Escape');
    if ((await this.shapes()) > 0) await this.startAfresh();
    // An earlier story, or an earlier round of this one, may have said that the item has nothing to draw.
    else if ((await this.nothing.getAttribute('aria-pressed')) === 'true') await this.nothing.click();
    await expect(this.nothing).toHaveAttribute('aria-pressed', 'false');
  }

  /** As the button of the worker's home does it: their open batch, or a new one. */
  private async take(stage: string): Promise<string> {
    await letWork(project.slug);
    const offers = await this.page.request.get('/api/v1/work');
    const { stages } = await offers.json();
    const id = stages.find(
      (offer: Offer) => offer.project.slug === project.slug && offer.stage.name === stage,
    )?.stage.id;
    const taken = await this.page.request.post(`/api/v1/work/stages/${id}/batch`, { headers: fromHere() });
    expect(taken.ok()).toBe(true);
    return (await taken.json()).batch.id;
  }

  /** "Nothing to label" takes away what is drawn; taken back after a reload there is no history either. */
  private async startAfresh(): Promise<void> {
    await this.nothing.click();
    await this.press('Discard');
    await expect(this.nothing).toHaveAttribute('aria-pressed', 'true');
    await this.nothing.click();
    await expect(this.nothing).toHaveAttribute('aria-pressed', 'false');
    await this.isStored();
    await this.page.reload();
    await this.isReady();
  }

  /** From the worker's home into their batch of a stage, as a person goes. */
  async enter(stage: string): Promise<void> {
    await letWork(project.slug);
    await this.page.goto('/annotate');
    await this.page
      .getByRole('button', { name: new RegExp(`^(Start|Continue) ${project.name}, ${stage}$`) })
      .click();
    await this.page.waitForURL(/\/annotate\/batch\//);
  }

  async isReady(): Promise<void> {
    await expect(this.canvas).toHaveAttribute('data-state', /\./);
    // Until the tab knows that it is the only one it does not draw; the editor hears of it after the button.
    await expect(this.page.getByRole('button', { name: this.#text('Submit'), exact: true })).toBeEnabled();
    await listens(this.page);
  }

  async view(): Promise<View> {
    return this.canvas.evaluate((element) => {
      const { x, y } = element.getBoundingClientRect();
      const { zoom, panX, panY } = element.dataset;
      return { x, y, zoom: Number(zoom), panX: Number(panX), panY: Number(panY) };
    });
  }

  async onScreen([x, y]: Point): Promise<Point> {
    const view = await this.view();
    return [Math.round(view.x + view.panX + x * view.zoom), Math.round(view.y + view.panY + y * view.zoom)];
  }

  /** Where a point of the screen is in the image, as the editor keeps it: in sixteenths of a pixel. */
  async inImage([x, y]: Point): Promise<Point> {
    const view = await this.view();
    const at = (screen: number, start: number, pan: number) =>
      Math.round(((screen - start - pan) / view.zoom) * 16) / 16;
    return [at(x, view.x, view.panX), at(y, view.y, view.panY)];
  }

  /** Clicks near these places and returns where exactly, in the image. */
  async outline(places: readonly Point[]): Promise<Point[]> {
    const exact: Point[] = [];
    for (const place of places) {
      const screen = await this.onScreen(place);
      await this.page.mouse.click(screen[0], screen[1]);
      exact.push(await this.inImage(screen));
    }
    return exact;
  }

  async polygon(places: readonly Point[]): Promise<Point[]> {
    await this.tool('Polygon');
    const exact = await this.outline(places);
    await this.page.keyboard.press('Enter');
    return exact;
  }

  /** Presses, moves and releases; returns the places in the image. */
  async drag(places: readonly Point[]): Promise<Point[]> {
    const screens = [];
    for (const place of places) screens.push(await this.onScreen(place));
    const [first, ...rest] = screens;
    if (!first) return [];
    await this.page.mouse.move(first[0], first[1]);
    await this.page.mouse.down();
    for (const [x, y] of rest) await this.page.mouse.move(x, y);
    await this.page.mouse.up();
    return Promise.all(screens.map((screen) => this.inImage(screen)));
  }

  async tool(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name: this.#text(name), exact: true });
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name: this.#text(name), exact: true }).click();
  }

  /** Marks the item as done; the workspace goes on to the next open one. */
  async done(): Promise<void> {
    await this.press('Done');
  }

  /** Submits the batch, also when some of its items are not done. */
  async submit(): Promise<void> {
    await this.press('Submit');
    const anyway = this.page.getByRole('button', { name: this.#text('Submit anyway') });
    const isOver = this.page.waitForURL(/\/done$/, { timeout: 30_000 });
    await Promise.race([anyway.waitFor(), isOver]);
    if (await anyway.isVisible()) await anyway.click();
    await isOver;
  }

  /** The state of an item in the filmstrip. */
  tile(number = this.number): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Item ${number}, `) });
  }

  async shapes(): Promise<number> {
    return Number(await this.canvas.getAttribute('data-shapes'));
  }

  async hasShapes(count: number): Promise<void> {
    await expect(this.canvas).toHaveAttribute('data-shapes', String(count));
  }

  async isStored(): Promise<void> {
    await expect(this.page.locator('[data-stored="stored"]')).toBeVisible();
  }

  /** What the server holds of the batch. */
  async batch(id = /batch\/([0-9a-f-]+)/.exec(this.page.url())?.[1]): Promise<Batch> {
    const response = await this.page.request.get(`/api/v1/work/batches/${id}`);
    expect(response.status()).toBe(200);
    return response.json();
  }

  async item(): Promise<BatchItem> {
    const item = (await this.batch()).items[this.number - 1];
    if (!item) throw new Error(`The batch has no item ${this.number}.`);
    return item;
  }

  /** Stores a polygon as the draft of the open item behind the page's back, as an import or another release might. */
  async givesDraft(outer: readonly number[]): Promise<void> {
    const { leaseId, image, draft, target } = await this.item();
    const shape = { kind: 'polygon', op: 'add', outer, holes: [] };
    const layers = [{ label: target?.id ?? '', nothing: false, shapes: [{ shape }] }];
    const { width, height } = image;
    const response = await this.page.request.put(`/api/v1/work/leases/${leaseId}/draft`, {
      data: { revision: draft?.revision ?? 0, document: { version: 1, width, height, layers, aside: [] } },
      headers: fromHere(),
    });
    expect(await response.json()).toHaveProperty('revision');
  }

  /** The shapes of the draft that the server holds. */
  async draft(): Promise<unknown[]> {
    const { draft } = await this.item();
    return (draft?.document.layers[0]?.shapes ?? []).map(({ shape }) => shape);
  }
}

type Offer = { readonly project: { readonly slug: string }; readonly stage: { readonly name: string } };

type BatchItem = {
  readonly leaseId: string;
  readonly target: { readonly id: string; readonly name: string } | null;
  readonly state: string;
  readonly image: { readonly width: number; readonly height: number };
  readonly draft: {
    readonly done: boolean;
    readonly revision: number;
    readonly document: { readonly layers: readonly { readonly shapes: readonly { shape: unknown }[] }[] };
  } | null;
  readonly answer: { readonly kind: string; readonly shapes: never[] } | null;
};

type Batch = { readonly state: string; readonly items: readonly BatchItem[] };
