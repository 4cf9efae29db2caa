import { createServer } from 'node:net';
import { TesseraError } from '@/lib/core/errors';

/** Tries the port for a moment, so that a port in use is told before anything slow begins. */
export function checkPort(host: string, port: number): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => failed(explainPort(error, host, port)));
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address() as { port: number };
      probe.close(() => done(address.port));
    });
  });
}

function explainPort(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const another = `PORT=${port + 1 > 65_535 ? 3000 : port + 1} npm start`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new TesseraError(
        'unavailable',
        `Port ${port} is in use by another program. Stop that program, or choose another port: ${another}`,
      );
    case 'EACCES':
      return new TesseraError(
        'unavailable',
        `Port ${port} is not allowed for this user (those below 1024 need root). Choose another: PORT=3000 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new TesseraError(
        'unavailable',
        `HOST=${host} is not an address of this machine. Use 127.0.0.1 (this machine only) or 0.0.0.0 (every network).`,
      );
    default:
      return error;
  }
}
