@rem `npm start` needs exec in sh, so that signals reach the service. In cmd, this file has that name.
@%*
