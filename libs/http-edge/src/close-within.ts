import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Closes the app and lets requests in flight end, but cuts every connection after this time: a caller that neither
 * sends nor reads would keep its connection, and with it the service, for as long as it likes.
 */
export async function closeWithin(
  app: Pick<NestFastifyApplication, 'close' | 'getHttpServer'>,
  ms: number,
): Promise<void> {
  const http = app.getHttpServer();
  const cut = setTimeout(() => http.closeAllConnections(), ms);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
