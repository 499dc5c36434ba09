import { applyDecorators, Catch, Controller, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands on what a handler threw. Nest's own filter puts `{ status, message: 'Internal server error' }` in its place, so
 * that neither the log nor the consumer learns what it was, and logs each one as an error, however many fail alike.
 */
@Catch()
class ThrownAsItIs implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** For a class whose methods handle messages or calls of the broker, in place of Nest's `@Controller()`. */
export const MessageController = (): ClassDecorator => applyDecorators(Controller(), UseFilters(ThrownAsItIs));
