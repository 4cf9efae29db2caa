import type { DatasetImage } from '../dataset';
import type { FormatFile, Pictures } from '../format';
import { mediaTypeOf } from '../names';

/** The stored bytes as they are; a window is cut out and coded without loss. */
export function pictureFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (image.picture.window) return { path, bytes: () => pictures.coded(image, { format: 'png' }) };
  return { path, sha256: image.picture.sha256, bytes: () => pictures.stored(image) };
}

/** For tools that look for .jpg only. */
export function jpegFile(path: string, image: DatasetImage, pictures: Pictures): FormatFile {
  if (mediaTypeOf(image) === 'image/jpeg') return pictureFile(path, image, pictures);
  return { path, bytes: () => pictures.coded(image, { format: 'jpeg', quality: 95 }) };
}
